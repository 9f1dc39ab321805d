package com.example.orders;

import dev.syncguard.lock.springboot.LockBusyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code curl -X POST 'localhost:8080/orders?product=tea&quantity=1'} */
@RestController
class OrderController {

  private final Orders orders;

  OrderController(Orders orders) {
    this.orders = orders;
  }

  @PostMapping("/orders")
  ResponseEntity<String> order(@RequestParam("product") String product, @RequestParam("quantity") int quantity) {
    return orders.order(product, quantity, null)
        ? ResponseEntity.status(HttpStatus.CREATED).body("ordered\n")
        : ResponseEntity.status(HttpStatus.CONFLICT).body("sold out\n");
  }

  /** Too many want the same product: they may come back. */
  @ExceptionHandler
  ResponseEntity<String> busy(LockBusyException busy) {
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).header("Retry-After", "1").body("busy\n");
  }
}

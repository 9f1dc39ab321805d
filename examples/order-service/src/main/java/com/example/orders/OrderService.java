package com.example.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class OrderService {

  public static void main(String[] arguments) {
    SpringApplication.run(OrderService.class, arguments);
  }
}

package com.example.orders;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.springboot.Locked;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells what is in stock, and not more, however many instances of this service there are. */
@Service
public class Orders {

  private final JdbcClient database;

  Orders(JdbcClient database) {
    this.database = database;
  }

  /**
   * Takes a quantity out of stock, and returns whether there was enough.
   *
   * <p>The lock is outside of the transaction: the next one in line sees what this one has committed. The fence is filled in by
   * the lock, so callers pass null.
   */
  @Locked(key = "'stock:' + #product", waitUpTo = "30s")
  @Transactional
  public boolean order(String product, int quantity, Fence fence) {
    int left = database
        .sql("select quantity from stock where product = ?")
        .param(product)
        .query(Integer.class)
        .single();
    if (left < quantity) {
      return false;
    }
    // The row refuses a holder that was paused and comes after a later one: the fence only ever rises.
    int changed = database
        .sql("update stock set quantity = ?, fence = ? where product = ? and fence <= ?")
        .params(left - quantity, fence.value(), product, fence.value())
        .update();
    if (changed == 0) {
      throw new IllegalStateException("Somebody else has sold this product meanwhile; order again");
    }
    return true;
  }
}

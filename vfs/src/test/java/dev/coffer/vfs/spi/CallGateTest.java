package dev.coffer.vfs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CallGateTest {
  @Test
  void closesOnceAndLetsNobodyInAfterwards() throws Exception {
    CallGate gate = new CallGate("shelf");
    gate.enter();
    gate.leave();
    assertTrue(gate.close());
    assertFalse(gate.close());
    StoreClosedException e = assertThrows(StoreClosedException.class, gate::enter);
    assertEquals("store is closed: store=shelf", e.getMessage());
    assertFalse(gate.close()); // A refused call is not inside.
  }

  @Test
  void closingWaitsForThoseInsideAndKeepsTheInterrupt() throws Exception {
    CallGate gate = new CallGate("shelf");
    gate.enter();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              gate.close();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    closer.start();
    closer.interrupt();
    closer.join(50);
    assertTrue(closer.isAlive());
    gate.leave();
    closer.join();
    assertTrue(interrupted.get());
  }

  @Test
  void nobodyIsInsideOnceClosed() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 200; round++) {
        CallGate gate = new CallGate("shelf");
        AtomicBoolean released = new AtomicBoolean();
        List<Future<?>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          callers.add(
              threads.submit(
                  () -> {
                    while (true) {
                      try {
                        gate.enter();
                      } catch (StoreClosedException e) {
                        return null;
                      }
                      assertFalse(released.get());
                      gate.leave();
                    }
                  }));
        }
        gate.close();
        released.set(true);
        for (Future<?> caller : callers) {
          caller.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

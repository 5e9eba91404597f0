package dev.coffer.codecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ContextPoolTest {
  private static final int THREADS = 8;

  @Test
  void aContextGivenBackIsUsedAgain() throws Exception {
    ContextPool<FakeContext> pool = new ContextPool<>(2, FakeContext::new);
    FakeContext context = pool.borrow();
    pool.giveBack(context);
    assertSame(context, pool.borrow());
    assertEquals(1, pool.created());
  }

  @Test
  void borrowersNeverWaitAndWhatIdlesIsBounded() throws Exception {
    ContextPool<FakeContext> pool = new ContextPool<>(3, FakeContext::new);
    List<FakeContext> borrowed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      borrowed.add(pool.borrow());
    }
    assertEquals(10, pool.created());
    borrowed.forEach(pool::giveBack);
    assertEquals(3, pool.idle());
    assertEquals(7, pool.freed());
  }

  @Test
  void closeFreesTheIdleNowAndTheBorrowedAsTheyComeBack() throws Exception {
    ContextPool<FakeContext> pool = new ContextPool<>(3, FakeContext::new);
    FakeContext idle = pool.borrow();
    FakeContext busy = pool.borrow();
    pool.giveBack(idle);
    pool.close();
    pool.close();
    assertEquals(1, idle.closes);
    assertEquals(0, busy.closes);
    assertThrows(IllegalStateException.class, pool::borrow);
    pool.giveBack(busy);
    assertEquals(1, busy.closes);
    assertEquals(0, pool.idle());
  }

  @Test
  void closingUnderLoadEndsEveryCallOneWayOrTheOther() throws Exception {
    byte[] plain = Samples.text(new Random(Samples.SEED), 2000);
    Dictionary dictionary = Dictionary.of(plain);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < 50; round++) {
        ZstdCodec codec = new ZstdCodec(1, 3);
        CountDownLatch busy = new CountDownLatch(THREADS);
        List<Future<Integer>> calls = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Dictionary mine = t % 2 == 0 ? dictionary : null;
          calls.add(threads.submit(untilClosed(codec, plain, mine, busy)));
        }
        busy.await();
        codec.close();
        for (Future<Integer> call : calls) {
          assertTrue(call.get() > 0);
        }
        assertEquals(codec.packers().created(), codec.packers().freed());
        assertEquals(codec.unpackers().created(), codec.unpackers().freed());
        assertEquals(0, codec.packers().idle() + codec.unpackers().idle());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Integer> untilClosed(
      ZstdCodec codec, byte[] plain, Dictionary dictionary, CountDownLatch busy) {
    return () -> {
      int done = 0;
      while (true) {
        try {
          byte[] packed = ZstdCodecTest.pack(codec, plain, dictionary);
          byte[] back = ZstdCodecTest.unpack(codec, packed, plain.length, dictionary);
          assertArrayEquals(plain, back);
        } catch (IllegalStateException e) {
          assertTrue(e.getMessage().startsWith("codec is closed"), e.getMessage());
          return done;
        }
        if (done++ == 0) {
          busy.countDown();
        }
      }
    };
  }

  @Test
  void contextsAreFreedAsOftenAsMade() throws Exception {
    byte[] plain = Samples.text(new Random(Samples.SEED), 500);
    long made = 0;
    for (int i = 0; i < 5000; i++) {
      ZstdCodec codec = new ZstdCodec(1, 1);
      ZstdCodecTest.unpack(codec, ZstdCodecTest.pack(codec, plain, null), plain.length, null);
      codec.close();
      assertEquals(codec.packers().created(), codec.packers().freed());
      assertEquals(codec.unpackers().created(), codec.unpackers().freed());
      made += codec.packers().created() + codec.unpackers().created();
    }
    assertEquals(10_000, made);
  }

  private static final class FakeContext extends NativeContext {
    private int closes;

    @Override
    void close() {
      closes++;
    }
  }
}

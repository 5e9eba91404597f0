package dev.coffer.bench.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecException;
import dev.coffer.codecs.Codecs;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * W1: packing and unpacking by Coffer's codec, between zstd-jni's one-shot calls, which make a
 * context each time, and a bare context that one thread uses again, which is the limit.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Threads(1)
public class CodecBenchmark {
  private static final int LEVEL = 3;
  private static final int SHORT = 256;

  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    /** 64 bytes of text, and records of JSON. */
    @Param({"64", "1024", "65536", "1048576"})
    public int length;

    byte[] plain = {};
    byte[] packed = {};
    byte[] bare = {};
    Codecs codecs = open();
    Codec codec = Objects.requireNonNull(codecs.byName(Codecs.ZSTD));

    private static Codecs open() {
      try {
        return Codecs.load(LEVEL);
      } catch (CodecException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Makes the content and packs it. */
    @Setup
    public void fill() throws CodecException {
      plain = content(length);
      byte[] room = room(length);
      int packedLength = codec.pack(plain, 0, length, room, 0, null);
      if (packedLength == Codec.NOT_SHRUNK) {
        throw new IllegalStateException("content does not shrink: length=" + length);
      }
      packed = Arrays.copyOf(room, packedLength);
      bare = Zstd.compress(plain, LEVEL);
    }

    /** Frees the codec. */
    @TearDown
    public void close() {
      codecs.close();
    }
  }

  /** What each thread has for itself. */
  @State(Scope.Thread)
  public static class Own {
    final ZstdCompressCtx packing = new ZstdCompressCtx().setLevel(LEVEL);
    final ZstdDecompressCtx unpacking = new ZstdDecompressCtx();
    byte[] room = {};
    byte[] plain = {};

    /** Makes room. */
    @Setup(Level.Trial)
    public void fill(Shared shared) {
      room = room(shared.length);
      plain = new byte[shared.length];
    }

    /** Frees the contexts. */
    @TearDown
    public void close() {
      packing.close();
      unpacking.close();
    }
  }

  private static byte[] room(int length) {
    return new byte[length + length / 256 + 64];
  }

  /** A short text repeats a phrase, or nothing could shrink it; a longer one is made of records. */
  private static byte[] content(int length) {
    SplittableRandom random = new SplittableRandom(length);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      if (length < SHORT) {
        text.append("to read or to write, ");
      } else {
        text.append("{\"id\": ").append(random.nextInt(1_000_000));
        text.append(", \"name\": \"name ").append(random.nextInt(1000));
        text.append("\", \"active\": ").append(random.nextBoolean()).append("}\n");
      }
    }
    return text.substring(0, length).getBytes(US_ASCII);
  }

  /** A new context and a new array a call. */
  @Benchmark
  public byte[] packOneShot(Shared shared) {
    return Zstd.compress(shared.plain, LEVEL);
  }

  /** The limit. */
  @Benchmark
  public int packBare(Shared shared, Own own) {
    return own.packing.compressByteArray(
        own.room, 0, own.room.length, shared.plain, 0, shared.length);
  }

  /** Coffer. */
  @Benchmark
  public int packCodec(Shared shared, Own own) throws CodecException {
    return shared.codec.pack(shared.plain, 0, shared.length, own.room, 0, null);
  }

  /** The limit, on all cores. */
  @Benchmark
  @Threads(Threads.MAX)
  public int packBareOnAllCores(Shared shared, Own own) {
    return packBare(shared, own);
  }

  /** Coffer, on all cores. */
  @Benchmark
  @Threads(Threads.MAX)
  public int packCodecOnAllCores(Shared shared, Own own) throws CodecException {
    return packCodec(shared, own);
  }

  /** A new context and a new array a call. */
  @Benchmark
  public byte[] unpackOneShot(Shared shared) {
    return Zstd.decompress(shared.bare, shared.length);
  }

  /** The limit. */
  @Benchmark
  public int unpackBare(Shared shared, Own own) {
    return own.unpacking.decompressByteArray(
        own.plain, 0, shared.length, shared.bare, 0, shared.bare.length);
  }

  /** Coffer. */
  @Benchmark
  public byte[] unpackCodec(Shared shared, Own own) throws CodecException {
    shared.codec.unpack(shared.packed, 0, shared.packed.length, own.plain, 0, shared.length, null);
    return own.plain;
  }

  /** The limit, on all cores. */
  @Benchmark
  @Threads(Threads.MAX)
  public int unpackBareOnAllCores(Shared shared, Own own) {
    return unpackBare(shared, own);
  }

  /** Coffer, on all cores. */
  @Benchmark
  @Threads(Threads.MAX)
  public byte[] unpackCodecOnAllCores(Shared shared, Own own) throws CodecException {
    return unpackCodec(shared, own);
  }
}

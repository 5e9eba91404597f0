/** Codecs: packing bytes into fewer bytes and back, through pooled native contexts. */
module dev.coffer.codecs {
  requires transitive static org.jspecify;
  requires com.github.luben.zstd_jni;

  exports dev.coffer.codecs;

  uses dev.coffer.codecs.CodecProvider;

  provides dev.coffer.codecs.CodecProvider with
      dev.coffer.codecs.RawCodecProvider,
      dev.coffer.codecs.ZstdCodecProvider;
}

package dev.coffer.examples;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.implement;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecProvider;
import dev.coffer.vfs.spi.BackendProvider;
import java.util.Set;
import java.util.stream.Collectors;

/** The house's arrows: codecs, vfs, backends, cli; each knows only what comes before it. */
@AnalyzeClasses(packages = "dev.coffer", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String FORMAT_READER = "dev\\.coffer\\.examples\\.FormatReader(\\$.*)?";
  private static final String CODECS = "dev.coffer.codecs..";
  private static final String VFS = "dev.coffer.vfs..";
  private static final String BACKENDS = "dev.coffer.backends..";
  private static final String TESTKIT = "dev.coffer.testkit..";
  private static final String CLI = "dev.coffer.cli..";
  private static final String BENCH = "dev.coffer.bench..";
  private static final String EXAMPLES = "dev.coffer.examples..";

  @ArchTest
  static final ArchRule codecsKnowNothingAbove =
      noClasses()
          .that()
          .resideInAPackage(CODECS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(VFS, TESTKIT, BACKENDS, CLI, BENCH, EXAMPLES);

  @ArchTest
  static final ArchRule vfsKnowsNothingAbove =
      noClasses()
          .that()
          .resideInAPackage(VFS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TESTKIT, BACKENDS, CLI, BENCH, EXAMPLES);

  @ArchTest
  static final ArchRule backendsKnowNothingAbove =
      noClasses()
          .that()
          .resideInAPackage(BACKENDS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TESTKIT, CLI, BENCH, EXAMPLES);

  @ArchTest
  static final ArchRule theTestkitKnowsNoBackend =
      noClasses()
          .that()
          .resideInAPackage(TESTKIT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(BACKENDS, CLI, BENCH, EXAMPLES);

  @ArchTest
  static final ArchRule backendsAreReachedThroughTheirContract =
      noClasses()
          .that()
          .resideInAPackage("dev.coffer.vfs.spi..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.coffer.vfs.internal..", "dev.coffer.vfs.nio..");

  @ArchTest
  static final ArchRule nothingDependsOnTheCommandLine =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLI);

  @ArchTest
  static final ArchRule nothingDependsOnBenchOrExamples =
      noClasses()
          .that()
          .resideOutsideOfPackages(BENCH, EXAMPLES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(BENCH, EXAMPLES);

  @ArchTest
  static final ArchRule backendsKnowNoOtherBackend =
      slices()
          .matching("dev.coffer.backends.(*)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule noPackagesInACircle =
      slices()
          .matching("dev.coffer.(codecs|cli|bench|examples|testkit|backends.*)..")
          .should()
          .beFreeOfCycles();

  /** And the reader that shows the format's document to be enough. */
  @ArchTest
  static final ArchRule onlyCodecsKnowZstd =
      noClasses()
          .that()
          .resideOutsideOfPackages(CODECS, "com.github.luben..", "dev.coffer.bench..")
          .and()
          .haveNameNotMatching(FORMAT_READER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.github.luben..");

  @ArchTest
  static final ArchRule theFormatReaderKnowsNothingOfCoffer =
      noClasses()
          .that()
          .haveNameMatching(FORMAT_READER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CODECS, VFS, "dev.coffer.backends..");

  @ArchTest
  static final ArchRule onlySqliteKnowsItsDriver =
      onlyKnownTo("dev.coffer.backends.sqlite..", "org.sqlite..");

  @ArchTest
  static final ArchRule onlyDuckDbKnowsItsDriver =
      onlyKnownTo("dev.coffer.backends.duckdb..", "org.duckdb..");

  @ArchTest
  static final ArchRule theStoresInsidesStayInside = onlyKnownTo(VFS, "dev.coffer.vfs.internal..");

  @ArchTest
  static final ArchRule backendsShowTheirProviderOnly =
      classes()
          .that()
          .resideInAPackage(BACKENDS)
          .and()
          .areTopLevelClasses()
          .and(not(implement(BackendProvider.class)))
          .should()
          .notBePublic()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule codecsShowTheirProvidersOnly =
      classes().that().resideInAPackage(CODECS).and(implement(Codec.class)).should().notBePublic();

  /** A rule about no classes holds; so each module must be here. */
  @ArchTest
  static void everyModuleIsLookedAt(JavaClasses all) {
    Set<String> packages = all.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertTrue(packages.contains(CodecProvider.class.getPackageName()), packages.toString());
    for (String name :
        new String[] {
          "dev.coffer.vfs",
          "dev.coffer.vfs.spi",
          "dev.coffer.vfs.internal",
          "dev.coffer.backends.log",
          "dev.coffer.backends.sqlite",
          "dev.coffer.backends.duckdb",
          "dev.coffer.cli"
        }) {
      assertTrue(packages.contains(name), name + " is missing of " + packages);
    }
  }

  /** Benchmarks measure what is below the insider, too. */
  private static ArchRule onlyKnownTo(String insider, String known) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(insider, known, BENCH)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(known)
        .allowEmptyShould(true);
  }
}

# divm - see README.md.  GNU make; sources are found by wildcard.
#
#   make            the command (build/divm) and the guest runtime (build/runtime)
#   make setup      installs what is missing (Debian 12)
#   make demo       verifies one example with an error and one without
#   make check      the tests, some of those that are many; ends with "N passed, N failed"
#   make check-all    all programs and variants of which make check tries some
#   make check-world  well-known C projects with their own tests, and others with build systems
#   make check-page     the pages of --output-html in a browser (chromium, 350 MB, is installed)
#   make check-libcxx   libc++'s own tests of threads, atomics, exceptions
#   make check-debug    passes of the tests by the command with sanitizers
#   make THREADS=1 check-threads   searches by several workers, under the thread sanitizer
#   make fuzz       random programs and mutated bitcode
#   make lint bench bench-searches bench-scaling clean
#   make install uninstall   below PREFIX (/usr/local), or DESTDIR and PREFIX
#   make deb        a package for Debian 12 and Ubuntu 24.04: build/divm_VERSION_amd64.deb
#   make dist-bin   a tarball for other Linux systems: build/divm-VERSION-linux-x86_64.tar.gz
#
# DEBUG=1 builds the command with sanitizers into build/debug, where it also does what its caches
# spare it and compares; THREADS=1 with the thread sanitizer into build/threads, PROFILE=1 one
# that counts what it executes into build/profile:
# with it the profile is made from which the command is optimised.  "make profile" renews that
# after larger changes.
# DIVM_CACHE_DIR keeps downloads (default build/cache).  V=1 shows the commands.

# Lines that begin with + are shown as they come.
MAKEFLAGS += $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc)) --output-sync=target --no-builtin-rules
.SUFFIXES:
.SECONDEXPANSION:
.DELETE_ON_ERROR:
.SECONDARY:

B := build
DIVM_CACHE_DIR ?= $(B)/cache
PREFIX ?= /usr/local
LLVM := /usr/lib/llvm-19
CLANG := clang-19
KIND := $(if $(DEBUG),debug,$(if $(THREADS),threads,$(if $(PROFILE),profile)))
HOST := $(B)/$(or $(KIND),host)
BIN := $(B)/$(if $(KIND),$(KIND)/)divm
RUNTIME := $(B)/runtime
MUSL := $(B)/musl
LIBCXX := $(B)/libcxx
# Each part of what is made is told when its first file is; SAID has a folder for each that was.
SAID := $(B)/said
ifeq ($(MAKELEVEL)$(MAKE_RESTARTS),0)
$(shell rm -rf $(SAID) && mkdir -p $(SAID) && date +%s > $(SAID)/start)
endif
PARTS := os libpthread musl libc cxx gtest cmocka host debug threads profile
os = the kernel
libpthread = threads
musl = the C library
libc = the C library
cxx = the C++ library
gtest = GoogleTest
cmocka = CMocka
host = the command
debug = the command with sanitizers
threads = the command with the thread sanitizer
profile = the command that counts what it executes
PART = $(firstword $(filter $(PARTS),$(subst /, ,$(subst ., ,$(@:$(B)/%=%)))))
TOLD = $(if $(PART),compiling $($(PART)),making $@)
Q = $(if $(V),,@mkdir "$(SAID)/$(subst /,.,$(TOLD))" 2>/dev/null && echo "$(TOLD)"; )
, := ,

.PHONY: all setup demo check check-all check-page check-world check-libcxx check-threads check-debug debug unit fuzz lint bench \
	bench-searches bench-scaling profile install uninstall deb dist-bin clean runtime host FORCE
all: host runtime
	@[ "$$(ls $(SAID))" = start ] || echo "made in $$(($$(date +%s) - $$(cat $(SAID)/start))) s"

# ---- what these goals need is installed first --------------------------------

SETUP := $(if $(filter setup demo check check-all check-page check-world check-libcxx check-debug fuzz bench bench-searches bench-scaling deb dist-bin,$(MAKECMDGOALS)),setup)
# the projects of tests/world use these, and the page is tested in that
setup: MORE := $(if $(filter check-world,$(MAKECMDGOALS)),libboost-dev libck-dev \
	libfmt-dev libgtest-dev libspdlog-dev libtbb-dev liburcu-dev nlohmann-json3-dev pkg-config) \
	$(if $(filter check-page,$(MAKECMDGOALS)),chromium)
setup:
	+@libc/setup.sh $(MORE)

# flags KEEP: a file that changes when the flags do
$(HOST)/flags $(B)/guest/flags $(B)/guest/musl-flags $(B)/guest/cxx-flags: FORCE | $(SETUP)
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@

# ---- host: build/divm --------------------------------------------------------

HOST_FLAGS := -std=c17 -D_GNU_SOURCE -O2 -g -pthread -I. \
	-Wall -Wextra -Wswitch-enum -Wmissing-prototypes -Wshadow \
	-DLIBBSD_OVERLAY -isystem /usr/include/bsd -isystem $(LLVM)/include
BUILD_ID := -Wl,--build-id=sha1 # checker/identity.h
HOST_LIBS := $(BUILD_ID) -pthread -L$(LLVM)/lib -lLLVM-19 -lbsd -lmd -lxxhash -ljansson -lyaml -lgsl -lgslcblas -lstdc++ -lm
SANITIZERS := $(if $(DEBUG),address$(,)undefined,$(if $(THREADS),thread))
ifdef SANITIZERS
HOST_FLAGS += -O1 -gline-tables-only -DDIVM_DEBUG -fsanitize=$(SANITIZERS) -fno-sanitize-recover=all -fno-omit-frame-pointer
else
HOST_FLAGS += -flto=thin
MALLOC := -ljemalloc
LTO_CACHE := -Wl,-plugin-opt=cache-dir=$(HOST)/lto
HOST_LIBS += $(MALLOC) $(LTO_CACHE)
endif
# The command has all libraries but the C library in it: to put LLVM's shared library in place
# took most of the time of a small verification.  It goes to other systems as it is.
COMMAND_LIBS = -L$(LLVM)/lib -static-libgcc -Wl,-Bstatic $(MALLOC) $(shell $(LLVM)/bin/llvm-config \
	--link-static --libs core bitreader bitwriter irreader linker passes x86) \
	-lbsd -lmd -lxxhash -ljansson -lyaml -lgsl -lgslcblas -lz -lzstd -lstdc++ -Wl,-Bdynamic -lm \
	$(BUILD_ID) $(LTO_CACHE)

# What is executed often, from short runs: made once, so a function that was changed since is
# optimised without.
COUNTS := $(if $(KIND),,$(B)/profile/counts.profdata)
$(B)/profile/counts.profdata: tests/bench/train.sh | runtime
	+$(Q)$(MAKE) --no-print-directory PROFILE=1 host && $< $(@D)/divm $@
HOST_FLAGS += $(if $(PROFILE),-fprofile-generate)
HOST_FLAGS += $(if $(COUNTS),-fprofile-use=$(COUNTS) -Wno-profile-instr-out-of-date \
	-Wno-profile-instr-unprofiled -Wno-backend-plugin)

HOST_SRC := $(wildcard $(foreach d,vm checker,$d/*.c $d/*/*.c $d/*/*/*.c) store/*.c)
HOST_OBJ := $(HOST_SRC:%.c=$(HOST)/%.o)

host: $(if $(wildcard checker/cli/main.c),$(BIN))

$(HOST)/flags: FLAGS = $(HOST_FLAGS)
$(HOST)/%.o: %.c $(HOST)/flags $(COUNTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(HOST_FLAGS) $(DISPATCH) -MMD -MP -c -o $@ $<
# clang 19 gives the interpreter one indirect jump for all instructions, unless it
# may copy it to more than 16 places.  Jumps that cross 32 bytes are slow on many Intel
# processors, by a quarter here.  What the sanitizer says of undefined behaviour takes half a
# minute to compile in a function of this size, and a trap is as good.
$(HOST)/vm/exec/interp.o: DISPATCH = $(if $(SANITIZERS),$(if $(DEBUG),-fsanitize-trap=undefined),-fno-lto \
	-mllvm -tail-dup-pred-size=1000 -mllvm -tail-dup-succ-size=1000 -mbranches-within-32B-boundaries)
# The page is embedded, which caches of compilers (ccache) do not see.
PAGE := $(wildcard checker/report/page/*)
$(HOST)/checker/report/page.o: $(PAGE)
$(HOST)/checker/report/page.o: DISPATCH = -DPAGE_STAMP='"$(shell cat $(PAGE) | cksum)"'

$(BIN): $(HOST_OBJ)
	$(Q)$(CLANG) $(HOST_FLAGS) -o $@ $^ $(COMMAND_LIBS)
	@for name in cc c++; do ln -sf $(@F) $(@D)/divm-$$name; done
	$(if $(KIND),@ln -sfn ../runtime $(HOST)/runtime)

# ---- guest: build/runtime ----------------------------------------------------
# The object of a/b/c.c is a.b.c.bc: members of an archive need names of their own.

GUEST_FLAGS := -target x86_64-linux-musl -fdebug-compilation-dir=. -O1 -emit-llvm -nostdlibinc -ffreestanding \
	-fno-builtin -mlong-double-64 -ffp-contract=off -fno-pic -fno-vectorize \
	-fno-slp-vectorize -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables
KERNEL_FLAGS := $(GUEST_FLAGS) -std=c17 -gline-tables-only -D_GNU_SOURCE -Wall -Wextra -Wswitch-enum \
	-Wmissing-prototypes -Wshadow -isystem $(RUNTIME)/include -I.
CXX_FLAGS := $(filter-out -ffreestanding -fno-builtin,$(GUEST_FLAGS)) -std=c++23 -w -nostdinc++ \
	-D_LIBCPP_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI -D_LIBCXXABI_BUILDING_LIBRARY \
	-DLIBCXXABI_NON_DEMANGLING_TERMINATE -DHAVE___CXA_THREAD_ATEXIT_IMPL -D_GNU_SOURCE \
	-I$(LIBCXX)/libcxx/src -I$(LIBCXX)/libcxxabi/src -isystem $(RUNTIME)/include/c++/v1 \
	-isystem $(RUNTIME)/include -I.
# Library code is one step between visible actions: nothing in it is volatile.
# -fwrapv: what the optimiser hoists must not overflow where the source does not.
LIBC_FLAGS := $(GUEST_FLAGS) -std=c99 -gline-tables-only -fwrapv -D_XOPEN_SOURCE=700 \
	-Dvolatile= -w -Ilibc/arch/divm -Ilibc/internal -I$(MUSL)/arch/x86_64 \
	-I$(MUSL)/arch/generic -I$(B)/guest -I$(MUSL)/src/include -I$(MUSL)/src/internal \
	-I$(RUNTIME)/include -I.

# what of musl and libc++ is compiled, and how
include libc/sources.mk
# MUSL_ALL and LIBCXX_ALL, made when the sources are unpacked
ifneq ($(filter-out setup lint clean uninstall,$(or $(MAKECMDGOALS),all)),)
include $(MUSL)/sources.mk $(LIBCXX)/sources.mk
endif
$(MUSL)/sources.mk: libc/fetch.sh libc/source.sh | $(SETUP)
	+@libc/fetch.sh $(DIVM_CACHE_DIR) $(MUSL)
	@cd $(MUSL)/src && echo MUSL_ALL := $$(ls */*.c | sed 's/\.c$$//') > ../sources.mk

$(LIBCXX)/sources.mk: libc/cxx/fetch.sh libc/cxx/patch.sh libc/source.sh | $(SETUP)
	+@libc/cxx/fetch.sh $(DIVM_CACHE_DIR) $(LIBCXX)
	@cd $(LIBCXX) && echo LIBCXX_ALL := $$(ls libcxx/src/*.cpp libcxx/src/filesystem/*.cpp \
	  libcxx/src/ryu/*.cpp libcxxabi/src/*.cpp) > sources.mk

OUR_LIBC := $(filter-out libc/include/% libc/cxx/% libc/native/% libc/frameworks/%,$(wildcard libc/*/*.c))
MUSL_SRC := $(filter-out $(OUR_LIBC:libc/%.c=%),$(filter-out $(MUSL_OUT),$(MUSL_ALL))) \
	$(MUSL_IN) stdio/vfprintf stdio/vfwprintf
LIBC_BC := $(foreach f,$(MUSL_SRC),$(B)/guest/musl.$(subst /,.,$f).bc) \
	$(foreach f,$(OUR_LIBC:.c=),$(B)/guest/$(subst /,.,$f).bc)
OS_BC := $(foreach f,$(basename $(wildcard os/*.c os/*/*.c)),$(B)/guest/$(subst /,.,$f).bc)
PTHREAD_BC := $(foreach f,$(basename $(wildcard libpthread/*.c libpthread/*/*.c)), \
	$(B)/guest/$(subst /,.,$f).bc)

CXX_BC := $(foreach f,$(filter-out $(LIBCXX_OUT),$(LIBCXX_ALL)),$(B)/guest/cxx/$(basename $f).bc) \
	$(foreach f,$(basename $(wildcard libc/cxx/*.c libc/cxx/*.cpp)),$(B)/guest/$(subst /,.,$f).bc)

GTEST := /usr/src/googletest
GTEST_BC := $(foreach f,libc/frameworks/gtest libc/frameworks/gmock googletest/src/gtest_main, \
	$(B)/guest/gtest/$f.bc)
GTEST_ARCHIVE := $(if $(wildcard $(GTEST)/googletest/src),$(RUNTIME)/libgtest.a)
GTEST_FLAGS = $(filter-out -D% -w,$(CXX_FLAGS)) -w -I$(GTEST)/googletest -I$(GTEST)/googlemock \
	-I$(GTEST)/googletest/include -I$(GTEST)/googlemock/include -gline-tables-only

CMOCKA := $(B)/cmocka
CMOCKA_FLAGS := $(filter-out -ffreestanding -fno-builtin,$(GUEST_FLAGS)) -std=gnu99 -w \
	-gline-tables-only -DHAVE_CLOCK_REALTIME -DHAVE_INTTYPES_H -DHAVE_MALLOC_H -DHAVE_SIGLONGJMP \
	-DHAVE_SIGNAL_H -DHAVE_STRINGS_H -DHAVE_STRSIGNAL -DHAVE_STRUCT_TIMESPEC \
	-I$(CMOCKA)/src -I$(CMOCKA)/include -isystem $(RUNTIME)/include

ARCHIVES := $(patsubst %,$(RUNTIME)/lib%.a,os pthread c cxx)
runtime: $(ARCHIVES) $(RUNTIME)/runtime.ld $(RUNTIME)/divm-frameworks $(RUNTIME)/divm-packages $(GTEST_ARCHIVE) \
	$(RUNTIME)/libcmocka.a $(patsubst %.a,%.ld,$(GTEST_ARCHIVE) $(RUNTIME)/libcmocka.a)

# for divm cc: the names that the runtime defines, and how executables begin
PROVIDED = llvm-nm-19 --quiet --defined-only -g -j $1 | sed -n '/^main$$/d;/^\(__\)\?os_/d;/^[^ :]\+$$/s/.*/PROVIDE("&" = 0);/p' | sort -u
$(RUNTIME)/runtime.ld: $(ARCHIVES) $(wildcard libc/native/*)
	@mkdir -p $(@D)/native && cp libc/native/* $(@D)/native
	$(Q)$(call PROVIDED,$(ARCHIVES)) > $@
$(RUNTIME)/lib%.ld: $(RUNTIME)/lib%.a
	$(Q)$(call PROVIDED,$<) > $@
# Test frameworks: headers where Debian has them, Catch2's and doctest's with ours around
# them, GoogleTest from its package's sources, CMocka from its source package
$(CMOCKA)/.stamp: libc/frameworks/fetch.sh libc/source.sh | $(SETUP)
	+@libc/frameworks/fetch.sh $(DIVM_CACHE_DIR) $(CMOCKA)
	@touch $@
$(B)/guest/cmocka.bc: libc/frameworks/cmocka_cases.c $(CMOCKA)/.stamp $(B)/guest/flags $(RUNTIME)/include/.stamp
	$(Q)$(CLANG) $(CMOCKA_FLAGS) -c -o $@ $<
$(RUNTIME)/divm-frameworks: Makefile $(CMOCKA)/.stamp $(wildcard libc/frameworks/include/* libc/frameworks/include/*/*)
	@rm -rf $@ && mkdir -p $@/installed && cp $(CMOCKA)/include/cmocka.h $@
	@for folder in $(GTEST)/googletest/include/gtest $(GTEST)/googlemock/include/gmock; do \
	  ln -sfn $$folder $@; done
	@for folder in /usr/include/catch2 /usr/include/doctest; do ln -sfn $$folder $@/installed; done
	@cp -R libc/frameworks/include/. $@
	@for file in /usr/include/catch2/catch_*; do ln -sfn $$file $@/catch2; done
	@touch $@

# Packages of the distribution whose headers do without machine code if they are asked to: these
# ask, and are found before the package's (checker/build/packages.def)
FMT := args chrono color compile core format os ostream printf ranges std xchar
$(RUNTIME)/divm-packages: Makefile $(shell find libc/packages -name '*.h')
	@rm -rf $@ && mkdir -p $@ && cp -R libc/packages/. $@ && mkdir -p $@/fmt/fmt
	@for name in $(FMT); do \
	  printf '#ifndef FMT_HEADER_ONLY\n#define FMT_HEADER_ONLY 1\n#endif\n#include_next <fmt/%s.h>\n' \
	  $$name > $@/fmt/fmt/$$name.h; done

$(RUNTIME)/libos.a: $(OS_BC)
$(RUNTIME)/libpthread.a: $(PTHREAD_BC)
$(RUNTIME)/libc.a: $(LIBC_BC)
$(RUNTIME)/libcxx.a: $(CXX_BC)
$(RUNTIME)/libgtest.a: $(GTEST_BC)
$(RUNTIME)/libcmocka.a: $(B)/guest/cmocka.bc
$(RUNTIME)/lib%.a: $(B)/guest/lib%.members
	@rm -f $@
	$(Q)llvm-ar-19 rcs $@ @$<
$(B)/guest/libos.members: LIST = $(OS_BC)
$(B)/guest/libpthread.members: LIST = $(PTHREAD_BC)
$(B)/guest/libc.members: LIST = $(LIBC_BC)
$(B)/guest/libcxx.members: LIST = $(CXX_BC)
$(B)/guest/libgtest.members: LIST = $(GTEST_BC)
$(B)/guest/libcmocka.members: LIST = $(B)/guest/cmocka.bc
$(B)/guest/%.members: FORCE | $(B)/guest/flags
	$(file >$@.new,$(LIST))
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/guest/flags: FLAGS = $(KERNEL_FLAGS)
$(B)/guest/musl-flags: FLAGS = $(LIBC_FLAGS)
$(B)/guest/cxx-flags: FLAGS = $(CXX_FLAGS)
KERNEL_DEPS := $(B)/guest/flags $(RUNTIME)/include/.stamp
CXX_DEPS := $(B)/guest/cxx-flags | $(RUNTIME)/include/c++/.stamp
LIBC_DEPS := $(B)/guest/musl-flags $(RUNTIME)/include/.stamp $(B)/guest/version.h

$(B)/guest/musl.%.bc: $(MUSL)/src/$$(subst .,/,$$*).c $(LIBC_DEPS)
	$(Q)$(CLANG) $(LIBC_FLAGS) $(EXTRA) -MMD -MP -c -o $@ $<
$(B)/guest/libc.%.bc: libc/$$(subst .,/,$$*).c $(LIBC_DEPS)
	$(Q)$(CLANG) $(filter-out -w,$(LIBC_FLAGS)) -Wall -Wno-parentheses -Wno-unused-but-set-variable -MMD -MP -c -o $@ $<
$(B)/guest/cxx/%.bc: $(LIBCXX)/%.cpp $(CXX_DEPS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CXX_FLAGS) $(EXTRA) -MD -MP -c -o $@ $<
$(B)/guest/gtest/googletest/%.bc: $(GTEST)/googletest/%.cc $(CXX_DEPS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(GTEST_FLAGS) -MD -MP -c -o $@ $<
$(B)/guest/gtest/libc/%.bc: libc/%.cpp $(CXX_DEPS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(GTEST_FLAGS) -MD -MP -c -o $@ $<
$(B)/guest/libc.cxx.%.bc: libc/cxx/%.cpp $(CXX_DEPS)
	$(Q)$(CLANG) $(CXX_FLAGS) -MD -MP -c -o $@ $<
$(B)/guest/libc.cxx.%.bc: libc/cxx/%.c $(KERNEL_DEPS)
	$(Q)$(CLANG) $(KERNEL_FLAGS) -Ilibc/internal -MMD -MP -c -o $@ $<
$(B)/guest/%.bc: $$(subst .,/,$$*).c $(KERNEL_DEPS)
	$(Q)$(CLANG) $(KERNEL_FLAGS) -MMD -MP -c -o $@ $<

$(B)/guest/version.h: $(MUSL)/sources.mk
	@mkdir -p $(@D)
	@printf '#define VERSION "%s"\n' "$$(cat $(MUSL)/VERSION)" > $@

# musl's headers as its build installs them, with ours laid over; and Linux' own
LINUX_HEADERS := $(addprefix /usr/include/,linux asm-generic x86_64-linux-gnu/asm)
OUR_HEADERS := $(wildcard libc/include/*.h libc/include/*/*.h libc/arch/divm/bits/*.h)
$(RUNTIME)/include/.stamp: $(MUSL)/sources.mk $(OUR_HEADERS)
	@rm -rf $(@D) && mkdir -p $(@D)/bits
	@cp -RLp $(LINUX_HEADERS) $(@D)
	@cp -R $(MUSL)/include/. $(@D)
	@cp $(MUSL)/arch/generic/bits/*.h $(@D)/bits
	@cd $(MUSL)/arch/x86_64/bits && cp limits.h mman.h posix.h ptrace.h reg.h sem.h \
	  setjmp.h signal.h stat.h stdint.h user.h $(abspath $(@D)/bits)
	@cp libc/arch/divm/bits/*.h $(@D)/bits
	@cp -R libc/include/. $(@D)
	@echo '#include <pthread_np.h>' >> $(@D)/pthread.h
	@echo '#include <semaphore_np.h>' >> $(@D)/semaphore.h
	@for name in stdlib string time; do echo "#include <$${name}_np.h>" >> $(@D)/$$name.h; done
	@sed -e "s/^TYPEDEF unsigned long pthread_t/TYPEDEF struct __pthread * pthread_t/" \
	  -f $(MUSL)/tools/mkalltypes.sed $(MUSL)/arch/x86_64/bits/alltypes.h.in \
	  $(MUSL)/include/alltypes.h.in > $(@D)/bits/alltypes.h
	@cp $(MUSL)/arch/x86_64/bits/syscall.h.in $(@D)/bits/syscall.h
	@sed -n 's/__NR_/SYS_/p' $(MUSL)/arch/x86_64/bits/syscall.h.in >> $(@D)/bits/syscall.h
	@find $(@D) -name '*.in' -delete
	@touch $@

# libc++'s and libc++abi's headers, with ours laid over; dates are kept, so that
# only what includes a changed header is built again
$(RUNTIME)/include/c++/.stamp: $(LIBCXX)/sources.mk $(RUNTIME)/include/.stamp \
		$(wildcard libc/cxx/include/* libc/cxx/include/*/*)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp -Rp $(LIBCXX)/libcxx/include $(@D)/v1
	@cp -Rp $(LIBCXX)/libcxxabi/include/. $(@D)/v1
	@cp -Rp libc/cxx/include/. $(@D)/v1
	@rm -f $(@D)/v1/CMakeLists.txt $(@D)/v1/*.in
	@touch $@

# ---- tests -------------------------------------------------------------------

# tests/unit/x.c is linked with what it needs of the sources that tests/unit/x.deps names, or of
# all
unit_src = $(if $(wildcard tests/unit/$1.deps),$(wildcard $(file <tests/unit/$1.deps)),$(HOST_SRC))
unit_obj = $(patsubst %.c,$(HOST)/%.o,$(filter-out checker/cli/main.c,$(call unit_src,$1)))
UNIT := $(patsubst tests/unit/%.c,$(HOST)/unit/%,$(wildcard tests/unit/*.c))
$(HOST)/unit/%: $(HOST)/tests/unit/%.o $$(call unit_obj,$$*)
	@mkdir -p $(@D) && rm -f $@.a && llvm-ar-19 rcsT $@.a $(filter-out $<,$^)
	$(Q)$(CLANG) $(HOST_FLAGS) -o $@ $< $@.a -lcmocka $(HOST_LIBS)

unit: $(UNIT)

# divm probability for many seeds
REPEAT := $(dir $(BIN))repeat
$(REPEAT): $(HOST)/tests/fuzz/repeat.o $(filter-out $(HOST)/checker/cli/main.o,$(HOST_OBJ))
	$(Q)$(CLANG) $(HOST_FLAGS) -o $@ $^ $(HOST_LIBS)

# The command and the unit tests with sanitizers.  Linking the tests takes a fifth of the time
# that it takes where objects are optimised when they are linked.
debug: | $(SETUP)
	+$(Q)$(MAKE) --no-print-directory DEBUG=1 host unit

check: all debug
	+@DIVM=$(BIN) DIVM_DEBUG=$(B)/debug/divm tests/check.sh $(UNIT:$(HOST)/%=$(B)/debug/%)

# make check does one in so many tests of the passes that take longest.
check-all: all
	+DIVM=$(BIN) DIVM_TEST_ALL=1 tests/run.sh

# All tests of the passes that compare verdicts and counts; with MINUTES=N the fuzzers, too
check-debug: all debug $(if $(MINUTES),$(REPEAT))
	+DIVM=$(B)/debug/divm DIVM_TEST_ALL=1 DIVM_TEST_LIMIT=900 tests/run.sh \
	  $(addprefix --pass ,bench exact reductions caches alike fuzz) && \
	  DIVM=$(B)/debug/divm DIVM_TEST_LIMIT=900 tests/run.sh --pass verdicts tests/litmus/*.c
	$(if $(MINUTES),+DIVM=$(B)/debug/divm DIVM_TEST_LIMIT=900 DIVM_REPEAT=$(REPEAT) $(FUZZ))

# well-known C projects: downloads their sources; and projects of CMake and Meson with libraries
# of the distribution
check-world: all
	+DIVM=$(BIN) DIVM_CACHE_DIR=$(DIVM_CACHE_DIR) python3 tests/world/world.py

# libc++'s own tests of threads, atomics, shared pointers, exceptions; some 20 minutes
check-libcxx: all
	+libc/cxx/fetch_tests.sh $(DIVM_CACHE_DIR) $(B)/libcxx-tests
	+DIVM=$(BIN) python3 tests/libcxx/run.py -v $(B)/libcxx-tests

# The pages of --output-html in a browser without a window; pictures in build/page
check-page: all
	+DIVM=$(BIN) python3 tests/page/check.py $(B)/page

check-threads: all
	+@DIVM=$(BIN) tests/threads/run.sh

lint: | $(SETUP)
	+@for script in tests/lint/*.sh; do echo "$$script" && "$$script" || exit 1; done

# random concurrent programs against an independent checker, the searches against one another,
# and against runs on the host with sanitizers; random sequential ones against native runs;
# mutations of bitcode; MINUTES=60 has rounds of a few programs each for that long, from SEED on
FUZZ = python3 tests/fuzz/all.py $(MINUTES:%=--minutes=%) $(SEED:%=--seed=%)
fuzz: all $(REPEAT)
	+DIVM=$(BIN) DIVM_REPEAT=$(REPEAT) $(FUZZ)

bench: all
	+DIVM=$(BIN) tests/bench/run.sh
	+DIVM=$(BIN) python3 tests/kernels/run.py

bench-searches: all
	+DIVM=$(BIN) python3 tests/bench/searches.py

bench-scaling: all
	+DIVM=$(BIN) python3 tests/bench/scaling.py

profile:
	@rm -f $(COUNTS)
	@$(MAKE) --no-print-directory $(COUNTS) # by name: a file between others would stay away
	@$(MAKE) --no-print-directory host

demo: all
	@for file in examples/lost_update.c examples/queue.c; do \
	  echo "\$$ divm verify $$file"; $(BIN) verify --no-trace-file $$file; \
	  echo "exit status $$?"; echo; done

# ---- install, clean ----------------------------------------------------------

INSTALL := checker/cli/install
install: all
	@$(INSTALL)/install.sh $(BIN) $(RUNTIME) $(B) $(DESTDIR)$(PREFIX)

uninstall:
	@$(INSTALL)/install.sh --remove $(DESTDIR)$(PREFIX)

deb: all
	@$(INSTALL)/package.sh deb $(BIN) $(RUNTIME) $(B)
dist-bin: all
	@$(INSTALL)/package.sh tarball $(BIN) $(RUNTIME) $(B)

clean:
	@if [ -d $(B) ]; then find $(B) -mindepth 1 -maxdepth 1 ! -name cache \
	  -exec rm -rf {} +; fi

-include $(HOST_OBJ:.o=.d) $(wildcard $(HOST)/tests/fuzz/*.d $(HOST)/tests/unit/*.d $(HOST)/tests/unit/*/*.d) $(OS_BC:.bc=.d) $(PTHREAD_BC:.bc=.d) $(LIBC_BC:.bc=.d) $(CXX_BC:.bc=.d) $(GTEST_BC:.bc=.d)

# sources.mk - which files of musl and libc++ are part of the runtime, and those that are compiled
# with options of their own; included by the Makefile, relative to whose folder all names are.

# Left out of musl: threads (libpthread), processes, start-up, the dynamic loader.
# What a program calls of it is an undefined function, and the report says so.
MUSL_OUT := aio/% ipc/% ldso/% malloc/% mq/% process/% thread/% network/% \
	env/__init_tls env/__libc_start_main env/__reset_tls env/__stack_chk_fail \
	exit/abort_lock internal/defsysinfo linux/clone linux/membarrier linux/prctl \
	linux/setgroups misc/forkpty misc/wordexp signal/sigsetjmp_tail \
	setjmp/% stdio/__lockfile stdio/ftrylockfile stdio/funlockfile \
	sched/affinity stdio/pclose stdio/popen time/timer_% unistd/faccessat unistd/setxid
MUSL_IN := malloc/reallocarray thread/pthread_sigmask $(addprefix process/,execl execle execlp \
	execv execve execvp fexecve wait waitid waitpid) $(addprefix network/,htonl htons ntohl ntohs \
	accept accept4 bind connect getpeername getsockname getsockopt listen recv recvfrom \
	recvmsg send sendmsg sendto setsockopt shutdown \
	inet_addr inet_aton inet_ntoa inet_ntop inet_pton in6addr_any \
	in6addr_loopback)
# Compiled without their shortcut, which reads whole words past the end of a string
MUSL_BYTEWISE := multibyte/mbsrtowcs $(addprefix string/,memccpy memchr \
	strchrnul strlcpy strlen)

# Nothing protects their variables: see libc/internal/unordered.h
MUSL_UNORDERED := $(addprefix env/,__environ putenv setenv) $(addprefix misc/,a64l getopt mntent) \
	$(addprefix multibyte/,c16rtomb mbrlen mbrtoc16 mbrtoc32 mbrtowc) network/inet_ntoa \
	$(addprefix passwd/,fgetgrent fgetpwent fgetspent getgrent getpwent getspnam) \
	$(addprefix prng/,__seed48 rand seed48) search/hsearch stdio/tmpnam stdlib/ecvt \
	string/strtok $(addprefix time/,asctime getdate gmtime localtime) unistd/ttyname \
	$(addprefix crypt/,crypt encrypt) $(addprefix legacy/,cuserid getpass getusershell)

# Ours instead: operators new and delete, waiting for atomics, barriers, guards, the unwinder,
# how a program is ended
LIBCXX_OUT := libcxx/src/atomic.cpp libcxx/src/barrier.cpp libcxx/src/legacy_pointer_safety.cpp libcxx/src/new.cpp \
	libcxx/src/shared_mutex.cpp libcxx/src/verbose_abort.cpp libcxxabi/src/stdlib_new_delete.cpp libcxxabi/src/abort_message.cpp libcxxabi/src/cxa_guard.cpp \
	libcxxabi/src/cxa_noexception.cpp libcxxabi/src/cxa_personality.cpp \
	libcxxabi/src/fallback_malloc.cpp

# ---- options of single files -------------------------------------------------

# A thread that joins itself gets an exception: see libc/cxx/join.c
$(B)/guest/cxx/libcxx/src/thread.bc: EXTRA = -Dpthread_join=__cxx_join
# The order in which threads use these variables shows
$(B)/guest/cxx/libcxx/src/ios.bc $(B)/guest/cxx/libcxx/src/memory_resource.bc: EXTRA = -include libc/internal/unordered.h
$(foreach f,$(MUSL_BYTEWISE),$(B)/guest/musl.$(subst /,.,$f).bc): EXTRA = -U__GNUC__
$(foreach f,$(MUSL_UNORDERED),$(B)/guest/musl.$(subst /,.,$f).bc): EXTRA = -include unordered.h
# As it is written: optimised, it computes with pointers as with numbers.
$(B)/guest/musl.stdio.fseek.bc: EXTRA = -O0
# What their callers' functions throw passes through these.
$(foreach f,stdlib.bsearch stdlib.qsort stdlib.qsort_nr search.lsearch search.tsearch \
  search.tfind search.twalk search.tdestroy,$(B)/guest/musl.$f.bc): EXTRA = -fexceptions
$(B)/guest/musl.stdio.vfprintf.bc: EXTRA = -Dvfprintf=__musl_vfprintf
$(B)/guest/musl.stdio.vfwprintf.bc: EXTRA = -Dvfwprintf=__musl_vfwprintf

// Memory is taken back by something else than what goes with what has made it.
// Without a macro it is not.  Result: correct.
// -DMALLOC delete of what malloc made: memory error.
// -DCALLOC likewise: memory error.
// -DREALLOC likewise: memory error.
// -DSTRDUP likewise: memory error.
// -DALIGNED_ALLOC likewise: memory error.
// -DPOSIX_MEMALIGN likewise: memory error.
// -DASPRINTF likewise: memory error.
// -DGETLINE likewise: memory error.
// -DMEMSTREAM likewise: memory error.
// -DDEMANGLE likewise: memory error.
// -DMALLOC_ARRAY delete[] of what malloc made: memory error.
// -DMALLOC_UNIQUE std::unique_ptr of what malloc made: memory error.
// -DMALLOC_PLACED delete of an object in what malloc made: memory error.
// -DMALLOC_ALIGNED aligned delete of what aligned_alloc made: memory error.
// -DMALLOC_NOTHROW delete with nothrow of what malloc made: memory error.
// -DNEW_FREE free of what new made: memory error.
// -DNEW_REALLOC realloc of it: memory error.
// -DNEW_MUNMAP munmap of it: memory error.
// -DNEW_UNIQUE std::unique_ptr with free: memory error.
// -DNOTHROW_FREE free of what new with nothrow made: memory error.
// -DARRAY_FREE free of what new[] made: memory error.
// -DALIGNED_FREE free of what aligned new made: memory error.
// -DALLOCATOR_FREE free of what std::allocator made: memory error.
// -DVECTOR_FREE free of what a vector has: memory error.
// -DTEMPORARY_FREE free of what std::get_temporary_buffer made: memory error.
// -DRESOURCE_FREE free of what a memory resource made: memory error.
// -DARRAY_DELETE delete of what new[] made, where nothing but the kind tells: memory error.
// -DARRAY_OBJECTS delete of what new[] made, where there are destructors: memory error.
// -DARRAY_NOTHROW delete of what new[] with nothrow made: memory error.
// -DARRAY_UNIQUE std::unique_ptr of what new[] made: memory error.
// -DARRAY_SHARED std::shared_ptr of what new[] made: memory error.
// -DNEW_ARRAY delete[] of what new made: memory error.
// -DNEW_OBJECTS delete[] of what new made, where there are destructors: memory error.
// -DNEW_ARRAY_UNIQUE std::unique_ptr to an array of what new made: memory error.
// -DALLOCATOR_ARRAY delete[] of what std::allocator made: memory error.
// -DALIGNED_DELETE plain delete of what aligned new made: memory error.
// -DALIGNED_ARRAY aligned delete[] of what aligned new made: memory error.
// -DALIGNED_ARRAY_DELETE aligned delete of what aligned new[] made: memory error.
// -DALIGNED_BASE delete by a base with a smaller alignment: memory error.
// -DNEW_ALIGNED aligned delete of what plain new made: memory error.
// -DSIZE delete by a base without virtual destructor: memory error.
// -DSIZE_LESS delete by another type, which is smaller: memory error.
// -DSIZE_MORE delete by another type, which is greater: memory error.
// -DSIZE_ARRAY delete[] by a base that is smaller: memory error.
// -DSIZE_ALLOCATOR std::allocator is told another number: memory error.
// -DSIZE_ALIGNED aligned delete by another size: memory error.
// -DMMAP_DELETE delete of what mmap made: memory error.
// -DTHREAD another thread frees what new made: memory error.
// -DCHOICE_FREE free of what new may have made: memory error.
// -DCHOICE_DELETE delete of what malloc may have made: memory error.
// Expect-MALLOC: mismatched deallocation: delete of what malloc made: heap object of 4 bytes allocated at .*mismatched_delete.cpp:@malloc \(main at mismatched_delete.cpp:@delete\)
// Expect-STRDUP: delete of what malloc made: p
// Expect-MALLOC_ARRAY: delete\[\] of what malloc made
// Expect-MALLOC_ALIGNED: aligned delete of what malloc made
// Expect-NEW_FREE: mismatched deallocation: free of what new made: heap object of 4 bytes allocated at .*mismatched_delete.cpp:@new \(main at mismatched_delete.cpp:@free\)
// Expect-NEW_REALLOC: free of what new made.*@realloc
// Expect-NEW_MUNMAP: munmap of what new made
// Expect-ARRAY_FREE: free of what new\[\] made
// Expect-ALIGNED_FREE: free of what aligned new made
// Expect-ARRAY_DELETE: delete of what new\[\] made: heap object of 12 bytes
// Expect-ARRAY_OBJECTS: delete of what new\[\] made: Object#1
// Expect-ARRAY_SHARED: delete of what new\[\] made
// Expect-NEW_ARRAY: delete\[\] of what new made
// Expect-ALIGNED_DELETE: : delete of what aligned new made
// Expect-ALIGNED_ARRAY: aligned delete\[\] of what aligned new made
// Expect-ALIGNED_ARRAY_DELETE: aligned delete of what aligned new\[\] made
// Expect-NEW_ALIGNED: aligned delete of what new made
// Expect-SIZE: mismatched deallocation: delete of 4 bytes: Derived#1, which has 16 bytes \(main at mismatched_delete.cpp:@size\)
// Expect-SIZE_MORE: delete of 16 bytes: Plain#1, which has 4 bytes
// Expect-SIZE_ARRAY: delete\[\] of 16 bytes: DerivedObject#1, which has 40 bytes
// Expect-MMAP_DELETE: delete of what mmap made
#pragma clang diagnostic ignored "-Wmismatched-new-delete"
#pragma clang diagnostic ignored "-Wdelete-non-abstract-non-virtual-dtor"
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <divm.h>
#include <memory>
#include <memory_resource>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <vector>

struct Plain {
    int a = 1;
};
struct Derived : Plain {
    int b[3] = {};
};
struct Object {
    int a = 1;
    ~Object() { a = 0; }
};
struct DerivedObject : Object {
    int b = 2, c = 3, d = 4;
};
struct alignas(64) Line : Plain {
};
struct Free {
    void operator()(void *p) const { std::free(p); }
};

template <class T> static T *as(void *p) { return static_cast<T *>(p); }
static constexpr std::align_val_t wide{64};

static void *made;

int main()
{
#if defined MALLOC
    int *p = as<int>(std::malloc(4)); // @malloc
    delete p; // @delete
#elif defined CALLOC
    delete as<int>(std::calloc(1, 4));
#elif defined REALLOC
    delete as<int>(std::realloc(std::malloc(1), 4));
#elif defined STRDUP
    char *p = strdup("abcde"); // @strdup
    delete p;
#elif defined ALIGNED_ALLOC
    delete as<int>(aligned_alloc(64, 64));
#elif defined POSIX_MEMALIGN
    void *p = nullptr;
    posix_memalign(&p, 64, 4);
    delete as<int>(p);
#elif defined ASPRINTF
    char *p = nullptr;
    asprintf(&p, "%d", 1);
    delete p;
#elif defined GETLINE
    char text[] = "line\n", *p = nullptr;
    std::size_t n = 0;
    FILE *file = fmemopen(text, sizeof text - 1, "r");
    getline(&p, &n, file);
    std::fclose(file);
    delete p;
#elif defined MEMSTREAM
    char *p = nullptr;
    std::size_t n = 0;
    FILE *file = open_memstream(&p, &n);
    std::fputs("text", file);
    std::fclose(file);
    delete p;
#elif defined DEMANGLE
    int status = 0;
    delete abi::__cxa_demangle("_Z1fv", nullptr, nullptr, &status);
#elif defined MALLOC_ARRAY
    delete[] as<int>(std::malloc(4));
#elif defined MALLOC_UNIQUE
    std::unique_ptr<int> p(as<int>(std::malloc(4)));
#elif defined MALLOC_PLACED
    delete new (std::malloc(sizeof(Object))) Object;
#elif defined MALLOC_ALIGNED
    ::operator delete(aligned_alloc(64, 64), wide);
#elif defined MALLOC_NOTHROW
    ::operator delete(std::malloc(4), std::nothrow);
#elif defined NEW_FREE
    int *p = new int(1); // @new
    std::free(p); // @free
#elif defined NEW_REALLOC
    int *p = new int(1);
    p = as<int>(std::realloc(p, 8)); // @realloc
    std::free(p);
#elif defined NEW_MUNMAP
    munmap(::operator new(4096), 4096);
#elif defined NEW_UNIQUE
    std::unique_ptr<int, Free> p(new int(1));
#elif defined NOTHROW_FREE
    std::free(new (std::nothrow) int(1));
#elif defined ARRAY_FREE
    std::free(new int[3]);
#elif defined ALIGNED_FREE
    std::free(::operator new(64, wide));
#elif defined ALLOCATOR_FREE
    std::free(std::allocator<int>().allocate(3));
#elif defined VECTOR_FREE
    std::vector<int> v(3);
    std::free(v.data());
#elif defined TEMPORARY_FREE
    std::free(std::get_temporary_buffer<int>(3).first);
#elif defined RESOURCE_FREE
    std::free(std::pmr::new_delete_resource()->allocate(8));
#elif defined ARRAY_DELETE
    int *p = new int[3];
    delete p;
#elif defined ARRAY_OBJECTS
    Object *p = new Object[3];
    delete p;
#elif defined ARRAY_NOTHROW
    delete new (std::nothrow) int[3];
#elif defined ARRAY_UNIQUE
    std::unique_ptr<int> p(new int[1]);
#elif defined ARRAY_SHARED
    std::shared_ptr<int> p(new int[1]);
#elif defined NEW_ARRAY
    int *p = new int(1);
    delete[] p;
#elif defined NEW_OBJECTS
    Object *p = new Object;
    delete[] p;
#elif defined NEW_ARRAY_UNIQUE
    std::unique_ptr<int[]> p(new int(1));
#elif defined ALLOCATOR_ARRAY
    delete[] std::allocator<int>().allocate(3);
#elif defined ALIGNED_DELETE
    ::operator delete(::operator new(64, wide));
#elif defined ALIGNED_ARRAY
    ::operator delete[](::operator new(64, wide), wide);
#elif defined ALIGNED_ARRAY_DELETE
    ::operator delete(::operator new[](64, wide), wide);
#elif defined ALIGNED_BASE
    Plain *p = new Line;
    delete p;
#elif defined NEW_ALIGNED
    ::operator delete(::operator new(64), wide);
#elif defined SIZE
    Plain *p = new Derived;
    delete p; // @size
#elif defined SIZE_LESS
    delete as<char>(new int(1));
#elif defined SIZE_MORE
    delete as<Derived>(new Plain);
#elif defined SIZE_ARRAY
    Object *p = new DerivedObject[2];
    delete[] p;
#elif defined SIZE_ALLOCATOR
    std::allocator<int> a;
    a.deallocate(a.allocate(3), 2);
#elif defined SIZE_ALIGNED
    ::operator delete(::operator new(64, wide), 128, wide);
#elif defined MMAP_DELETE
    void *p = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ::operator delete(p);
#elif defined THREAD
    made = new int(1);
    std::thread([] { std::free(made); }).join();
#elif defined CHOICE_FREE || defined CHOICE_DELETE
    // afterwards nothing else tells which of the two it was
    made = divm_choose(2) ? std::malloc(4) : ::operator new(4);
    std::thread([] { *as<int>(made) = 1; }).join();
#ifdef CHOICE_FREE
    std::free(made);
#else
    ::operator delete(made);
#endif
#else
    std::free(std::malloc(4));
    delete new int(1);
    delete[] new int[3];
#endif
}

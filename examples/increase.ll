; Two threads increase a counter, each with a load and a store: an increase may get lost.
; divm verify --reach='increase::%old@2 == increase::%old@3' examples/increase.ll

@count = global i32 0

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(ptr, ptr)

define ptr @increase(ptr %arg) {
entry:
  %old = load atomic i32, ptr @count seq_cst, align 4
  %new = add i32 %old, 1
  store atomic i32 %new, ptr @count seq_cst, align 4
  ret ptr %arg
}

define i32 @main() {
entry:
  %a = alloca ptr
  %b = alloca ptr
  %0 = call i32 @pthread_create(ptr %a, ptr null, ptr @increase, ptr null)
  %1 = call i32 @pthread_create(ptr %b, ptr null, ptr @increase, ptr null)
  %2 = load ptr, ptr %a
  %3 = call i32 @pthread_join(ptr %2, ptr null)
  %4 = load ptr, ptr %b
  %5 = call i32 @pthread_join(ptr %4, ptr null)
  ret i32 0
}

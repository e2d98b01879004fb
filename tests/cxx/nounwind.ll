; What clang makes of a C function that calls back: it promises not to throw, and has
; no landing pad.
target triple = "x86_64-unknown-linux-musl"

define void @through(ptr %callback) nounwind {
  call void %callback()
  ret void
}

// Result: uncaught exception.
// Expect: uncaught exception: shop::Sold
namespace shop {
struct Sold { int item; };
}

int main()
{
    throw shop::Sold{1};
}

// A constructor calls what only the derived class defines. Result: bad call.
// Expect: a pure virtual function is called \(Base::prepare at pure_virtual.cpp:@call\)
struct Base {
    Base() { prepare(); }
    virtual ~Base() = default;
    void prepare()
    {
        step(); // @call
    }
    virtual void step() = 0;
};

struct Derived : Base {
    void step() override {}
};

int main()
{
    Derived object;
}

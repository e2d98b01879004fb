"""Random concurrent programs of C++: objects with owners, exceptions, locks and what else of
the standard library threads share."""

from grammar import Family

OBJECTS = Family(
    suffix=".cpp",
    defines=("COUNTED", "LONG"),
    head="""
struct Base {
    virtual ~Base() = default;
    virtual int get() const { return 1; }
};

static std::atomic<int> a0, a1, alive;
static int p0, p1;

struct Object : Base {
    int value;
    std::shared_ptr<Object> next;
    std::unique_ptr<Base> mine;

    explicit Object(int v) : value(v) { count(1); }
    Object(const Object &other) : value(other.value), next(other.next) { count(1); }
    ~Object() override { count(-1); }
    int get() const override { return value; }

    static void count([[maybe_unused]] int n)
    {
#ifdef COUNTED
        alive += n;
#endif
    }
};

struct Both : std::enable_shared_from_this<Both>, Object {
    using Object::Object;
    std::shared_ptr<Object> other() { return shared_from_this(); }
};

struct Guard {
    std::atomic<int> &counted;
    int by;
    explicit Guard(std::atomic<int> &a, int n) : counted(a), by(n) { counted += by; }
    ~Guard() { counted -= by; }
};

struct Failed : std::runtime_error {
    int code;
    explicit Failed(int n) : std::runtime_error("failed with a text that is long"), code(n) {}
    ~Failed() override { a1++; }
};

struct Own {
    int value = 0;
    ~Own() { if (value) a1 += value; }
};

struct Steps {
    struct promise_type {
        int value = 0;
        Steps get_return_object() { return Steps{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int n) { value = n; return {}; }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Steps(std::coroutine_handle<promise_type> h) : handle(h) {}
    Steps(Steps &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    ~Steps() { if (handle) handle.destroy(); }
    bool next() { handle.resume(); return !handle.done(); }
};

static std::mutex m, m2;
static std::recursive_mutex again;
static std::shared_mutex rw;
static std::condition_variable ready;
static std::condition_variable_any any_ready;
static std::once_flag once;
static std::counting_semaphore<2> places(1);
static std::latch gate(1);
static std::shared_ptr<Object> s0, s1;
static std::weak_ptr<Object> seen;
static std::atomic<Object *> raw;
static std::exception_ptr trouble;
static std::vector<int> numbers;
static std::list<std::unique_ptr<Base>> things;
static std::deque<std::function<int()>> work;
static std::map<int, std::shared_ptr<Object>> tree;
static std::unordered_set<int> some;
static std::string words;
static std::any anything;
static thread_local Own own;
#ifdef LONG
static const char *const word = "a word that is too long to be in the string itself";
#else
static const char *const word = "word";
#endif

static Steps count_to(int n)
{
    for (int k = 1; k <= n; k++) {
        co_yield k;
        p1 += 0 * k;
    }
}

static int first_time()
{
    static Object first(a0.load());
    return first.value;
}

static int fails(int n)
{
    Guard guard(a0, 1);
    if (n > 0)
        throw Failed(n);
    return n;
}
""",
    grammar="""
statement
    2x a$bit++;
    2x $register = a$bit;
    if (a$bit == $value) { $block }
    if ($register == $value) { $block }
    2x { std::lock_guard hold(m); $locked }
    2x { std::lock_guard hold(m); $locked } ready.notify_$who();
    { std::unique_lock hold(m); ready.wait(hold, [] { return p0 != 0 || !numbers.empty(); });
            $locked }
    { std::unique_lock hold(m); if (ready.wait_for(hold, std::chrono::milliseconds(1))
            == std::cv_status::timeout) $register++; $locked }
    { std::unique_lock hold(m, std::try_to_lock); if (hold) { $locked } else $register++; }
    { std::scoped_lock hold(m, m2); $locked }
    { std::scoped_lock hold(m2, m); $locked }
    { std::lock_guard hold(again); $block }
    { std::shared_lock hold(rw); $register = p1; }
    { std::unique_lock hold(rw); p1 = $value; any_ready.notify_all(); }
    { std::shared_lock hold(rw); any_ready.wait(hold, [] { return p1 != 0 || a0 != 0; }); }
    3x $p = std::make_shared<Object>($value);
    $p = std::shared_ptr<Object>(new Object($value));
    $p = std::make_shared<Both>($value)->other();
    $p = $p;
    $p = std::move($p);
    $p.reset();
    w = $p;
    if (auto x = w.lock()) $register = x->value + (int)x.use_count();
    2x std::atomic_store(&$s, $p);
    2x $p = std::atomic_load(&$s);
    $p = std::atomic_exchange(&$s, $p);
    2x if ($p) $register = $p->value;
    $register = $p == $p;
    { std::unique_ptr<Object> x(raw.exchange(nullptr)); if (x) { $register = x->value; $block } }
    delete raw.exchange(new Object($value));
    { Object *e = nullptr, *x = new Object($value);
            if (!raw.compare_exchange_strong(e, x)) { $register = e == nullptr; delete x; } }
    2x { Guard guard(a$bit, $value); $block }
    2x try { $block if (a$bit == $value) $throw $block } $catch
    try { Guard guard(a$bit, 1); $register = fails($value); $block } $catch
    try { try { $throw } catch (...) { a$bit++; throw; } } $catch
    try { Object x($value); auto y = std::make_unique<Object>(x); $throw } $catch
    { std::exception_ptr e; try { $throw } catch (...) { e = std::current_exception(); } $block
            std::lock_guard hold(m); trouble = e; }
    { std::exception_ptr e; { std::lock_guard hold(m); e = trouble; }
            try { if (e) std::rethrow_exception(e); } $catch }
    $register = first_time();
    std::call_once(once, [&] { $block });
    try { std::call_once(once, [&] { if (a$bit == $value) $throw p0++; }); } $catch
    own.value += $value;
    $register = own.value;
    { std::promise<int> x; auto f = x.get_future(); std::thread t([&x] { x.set_value(a$bit++); });
            $block $register = f.get(); t.join(); }
    { auto f = std::async(std::launch::async, [] { return fails($value); }); $block
            try { $register = f.get(); } $catch }
    { std::thread t([x = $p] { if (x) a$bit += x->value; }); $block t.join(); }
    { std::packaged_task<int(int)> x([](int n) { return n + a$bit; }); auto f = x.get_future();
            x($value); $register = f.get(); }
    gate.count_down();
    gate.wait();
    if (gate.try_wait()) { $block }
    if (places.try_acquire()) { $block places.release(); }
    places.acquire(); a$bit++; places.release();
    a1.wait($value);
    a1 = $value; a1.notify_$who();
    { std::variant<int, std::string> v = $value; if (a$bit) v = std::string(word); $block
            $register += (int)v.index(); }
    { std::function<int()> f = [x = $p] { return x ? x->value : 0; }; $block $register = f(); }
    { std::optional<Object> x; if (a$bit == $value) x.emplace($value); $block
            $register += x.has_value(); }
    { std::vector<std::unique_ptr<Base>> v; v.push_back(std::make_unique<Object>($value));
            if ($register) v.push_back(std::make_unique<Base>()); $block
            for (auto &x : v) $register += x->get(); }
    { std::unique_ptr<Base> b; if (a$bit) b = std::make_unique<Object>($value);
            else b = std::make_unique<Base>(); $block
            if (auto *x = dynamic_cast<Object *>(b.get())) $register += x->value; }
    { auto steps = count_to($value); while (steps.next()) { $register++; $block } }
    { auto x = std::make_unique<int[]>($value + 1); x[0] = a$bit; $block $register += x[0]; }
    { alignas(Object) unsigned char room[sizeof(Object)]; auto *x = new (room) Object($value);
            $block $register += x->value; x->~Object(); }
    { std::string x = word; x += word; $block $register += (int)x.size() & 3; }
    { int (Object::*get)() const = &Object::get; Object x($value); $block
            $register += (x.*get)(); }
    { std::function<int()> f; { std::lock_guard hold(m); if (!work.empty()) {
            f = std::move(work.front()); work.pop_front(); } } if (f) $register = f(); }
    $register = alive;
    $register = divm_choose(2);
locked
    2x p0++;
    2x $register += p0;
    numbers.push_back($value);
    if (!numbers.empty()) { $register = numbers.back(); numbers.pop_back(); }
    things.push_back(std::make_unique<Object>($value));
    if (!things.empty()) { $register += things.front()->get(); things.pop_front(); }
    work.push_back([x = $p] { return x ? x->value : 2; });
    tree[$value] = $p;
    tree.erase($value);
    for (auto &[key, x] : tree) $register += key + (x != nullptr);
    some.insert($value);
    $register += some.contains($value);
    words += word;
    $register += (int)words.size() & 7;
    words.clear();
    seen = $p;
    if (auto x = seen.lock()) $register += x->value;
    if ($p) $p->next = std::make_shared<Object>($value);
    if ($p && $p->next) $p = $p->next;
    if ($p) $p->mine = std::make_unique<Object>($value);
    anything = $value;
    anything = std::string(word);
    if (auto *x = std::any_cast<int>(&anything)) $register += *x;
throw
    2x throw $value;
    2x throw Failed($value);
    throw std::out_of_range(word);
    throw std::make_unique<Object>($value);
    (void)std::vector<int>().at(1);
catch
    2x catch (const Failed &e) { $register += e.code; } catch (...) { a$bit++; }
    2x catch (int e) { $register += e; } catch (const std::exception &) { $register++; }
            catch (const std::unique_ptr<Object> &e) { $register += e->value; }
    catch (...) { $block }
p
    2x p
    q
s
    2x s0
    s1
who
    one
    all
value
    0
    2x 1
    2
bit
    0
    1
""",
    locals="std::shared_ptr<Object> p, q; std::weak_ptr<Object> w; (void)p; (void)q;",
    budget=6,
    threads=(1, 2, 2, 3),
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * (unsigned)p0 + 7 * (unsigned)numbers.size() + "
         "11 * (unsigned)tree.size() + (s0 == s1)")

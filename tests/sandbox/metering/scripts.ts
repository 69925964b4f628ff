/** Scripts over the language's parts, each ending in a text that depends on all it did. */
export const scripts: [string, string][] = [
  ['sums of floats', 'let s = 0; for (let i = 1; i < 5000; i++) s += 1 / i; String(s)'],
  [
    'integer overflow',
    'let x = 1; for (let i = 0; i < 999; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; String(x)',
  ],
  [
    'transcendental functions',
    `[0.1, 1, 2.5, 1e3].flatMap((x) => ['sin', 'cos', 'tan', 'exp', 'log', 'sqrt', 'cbrt', 'atan', 'log1p', ` +
      `'expm1', 'sinh', 'tanh'].map((f) => Math[f](x))).join()`,
  ],
  [
    'numbers as text',
    `[0.1 + 0.2, 1e21, 1e-7, -0, 123456789.125, 5e-324, 1.7976931348623157e308].map((x) => [x, x.toFixed(3), ` +
      `x.toExponential(4), x.toPrecision(7), x.toString(3)]).join('|')`,
  ],
  [
    'text as numbers',
    `['0x1f', '1e3', ' 42 ', '1_0', '', '-.5e-3', 'Infinity', '9007199254740993'].map(Number).join()`,
  ],
  [
    'big integers',
    'let a = 1n; for (let i = 1n; i < 200n; i++) a *= i; String(a) + (a % 1000007n) + (a >> 700n) + (-a / 3n ** 90n)',
  ],
  ['recursion', 'const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); String(f(18))'],
  [
    'mutual recursion',
    'const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1); String([even(100), odd(77)])',
  ],
  [
    'sorting',
    `const a = Array.from({ length: 500 }, (_, i) => (i * 7919) % 1009); a.sort((x, y) => x - y).join() + ` +
      `[3, 1, 2].sort() + ['b', undefined, 'a'].sort()`,
  ],
  [
    'array methods',
    `const a = Array.from({ length: 300 }, (_, i) => i); [a.filter((x) => x % 7 === 0), a.map((x) => x * ` +
      `x).slice(-9), a.reduce((x, y) => x ^ y), a.findLast((x) => x % 11 === 5), a.toSpliced(5, 290, 'x'), ` +
      `[[1, [2, [3]]]].flat(Infinity), a.copyWithin(3, 200, 250).indexOf(222)].join('|')`,
  ],
  [
    'holes and lengths',
    `const a = [1, , 3]; a[10] = 4; a.length = 8; [a.length, 1 in a, a.join(), Object.keys(a), a.fill(9, ` +
      `5).lastIndexOf(9), [].concat(a, [5]).length].join('|')`,
  ],
  [
    'strings',
    `const s = 'Žluťoučký kůň 🐎'.repeat(40); [s.length, s.normalize('NFD').length, s.toUpperCase().slice(0, ` +
      `9), s.split('ů').length, s.replaceAll('k', 'K').lastIndexOf('Ký'), [...s].length, s.codePointAt(14), ` +
      `s.padStart(900, 'ab').slice(0, 3), 'a-b-c'.split('-', 2), s.at(-3), s.localeCompare('Z')].join('|')`,
  ],
  [
    'template literals',
    'const tag = (s, ...v) => s.raw.join("|") + v.join(); tag`a${1}\\n${[2, 3]}` + `${{ toString: () => "x" }}`',
  ],
  [
    'regular expressions',
    `['2026-11-20', 'aaa', 'x1y22z333'].map((s) => [s.match(/(?<y>\\d{4})-(\\d\\d)/)?.groups.y, ` +
      `s.replace(/(\\d+)/g, '<$1>'), /(a+)+$/.test(s), [...s.matchAll(/[a-z](\\d+)/g)].map((m) => m.index + ` +
      `m[1]), s.split(/\\d/), /(?<=x)1/u.exec(s)?.index]).join('|')`,
  ],
  [
    'regular expressions that go back',
    `String(/^(a|a)*$/.test('a'.repeat(14) + 'b')) + /(?:a?){12}a{12}/.exec('a'.repeat(12))[0].length + ` +
      `'ab'.repeat(9).replace(/(?=b)|(.)\\1/gi, '-')`,
  ],
  [
    'JSON',
    `const o = { a: [1, { b: null, c: 'é\\u2028"' }], d: undefined, e: new Date(0), f: [undefined, NaN] }; ` +
      `JSON.stringify(o, null, 2) + JSON.stringify(JSON.parse(JSON.stringify(o), (k, v) => (typeof v === ` +
      `'number' ? v + 1 : v)))`,
  ],
  [
    'deep JSON',
    `let s = '1'; for (let i = 0; i < 60; i++) s = '[' + s + ',{"k":' + i + '}]'; ` +
      `JSON.stringify(JSON.parse(s)).length + s`,
  ],
  [
    'errors',
    `const out = []; for (const f of [() => null.x, () => undefinedName, () => [].reduce((a) => a), () => ` +
      `new Array(-1), () => 'x'.repeat(-1), () => 1n + 1, () => Symbol() + '', () => decodeURIComponent('%'), ` +
      `() => { throw { message: 1 } }]) { try { f(); } catch (e) { out.push(e.constructor.name + e.message); } ` +
      `finally { out.push('.'); } } out.join('|').replace('ReferenceError', 'RefError')`,
  ],
  [
    'syntax errors',
    `['let let', 'a b', '/(/', '({a b})', '"\\n"'].map((s) => { try { return (0, eval)(s); } catch (e) { ` +
      `return e.message; } }).join('|')`,
  ],
  [
    'too much recursion',
    `let n = 0; const f = () => { n++; f(); }; try { f(); } catch (e) { e.message.slice(0, 8) + (n > 50); }`,
  ],
  [
    'classes',
    `class A { #x = 1; static n = 0; constructor(y) { this.y = y; A.n++; } get x() { return this.#x; } set ` +
      `x(v) { this.#x = v * 2; } static { this.z = 'z'; } has(o) { return #x in o; } } class B extends A { ` +
      `constructor() { super(5); } has(o) { return !super.has(o); } } const b = new B(); b.x = 4; [b.x, b.y, ` +
      `A.n, A.z, b.has(b), b instanceof A, B.name].join()`,
  ],
  [
    'closures',
    `const fs = []; for (let i = 0; i < 9; i++) fs.push(() => i++); fs.map((f) => f() + f()).join() + ((a, b ` +
      `= a + 1, ...c) => [a, b, c.length])(1, undefined, 3, 4)`,
  ],
  [
    'destructuring',
    `const { a: [, x = 5, ...r], ['b' + 1]: y, ...z } = { a: [1, undefined, 3, 4], b1: 'B', c: 1, d: 2 }; ` +
      `[x, r, y, Object.entries(z)].join('|')`,
  ],
  [
    'generators',
    `function* walk(t) { if (t) { yield* walk(t[0]); const got = yield t[1]; if (got) yield got; yield* ` +
      `walk(t[2]); } } const g = walk([[null, 1, null], 2, [null, 3, null]]); [g.next().value, ` +
      `g.next('!').value, g.next('?').value, ...g, g.return(7).value].join()`,
  ],
  [
    'iterators',
    `const it = { from: 1, to: 5, [Symbol.iterator]() { let n = this.from; return { next: () => ({ done: n > ` +
      `this.to, value: n++ }), return: () => ((this.closed = true), {}) }; } }; let s = 0; for (const n of it) ` +
      `{ if (n === 4) break; s += n; } [s, it.closed, Math.max(...it), Array.from(it, (x) => x * 2)].join('|')`,
  ],
  [
    'labels and switches',
    `let s = ''; outer: for (let i = 0; i < 6; i++) { for (let j = 0; ; j++) { switch ((i * j) % 5) { case ` +
      `1: s += 'a'; case 2: s += 'b'; break; case 4: continue outer; default: s += 'd'; } if (j > 3) { if (i ` +
      `=== 4) break outer; break; } } } s`,
  ],
  [
    'maps and sets',
    `const m = new Map(); for (let i = 0; i < 400; i++) m.set(i % 2 ? i : 'k' + i, i); for (let i = 0; i < ` +
      `400; i += 3) m.delete(i); const t = new Set([NaN, NaN, 0, -0, '0']); [m.size, [...m.keys()].slice(0, ` +
      `9), t.size, [...new Set([1, 2, 3]).union(new Set([3, 4]))], Object.groupBy([1, 2, 3], (x) => (x % 2 ? ` +
      `'o' : 'e')).o].join('|')`,
  ],
  [
    'typed arrays',
    `const f = new Float32Array([1.1, NaN, -Infinity, 1e40]), d = new DataView(f.buffer); [f.join(), ` +
      `d.getUint32(0), d.getInt16(2, true), new Uint8ClampedArray([300, -5, 1.5]).join(), new ` +
      `Uint8Array(5000).fill(3).subarray(10, 4000).reduce((a, b) => a + b), new Uint16Array([5, 1, ` +
      `4]).sort().join(), new BigInt64Array([-1n, 2n ** 70n]).join()].join('|')`,
  ],
  [
    'large copies',
    `const a = new Uint8Array(100000); for (let i = 0; i < 100; i++) a[i] = i; for (let n = 100; n < 50000; ` +
      `n *= 2) a.copyWithin(n, 0, n); const b = a.slice(5000, 90000); let h = 0; for (let i = 0; i < b.length; ` +
      `i += 97) h = (h * 31 + b[i]) | 0; String(h)`,
  ],
  [
    'long strings',
    `let s = ''; for (let i = 0; i < 3000; i++) s += String.fromCharCode(97 + (i % 26)); let t = s; for (let ` +
      `i = 0; i < 5; i++) t += t; [t.length, t.indexOf('zab', 90000), t.slice(-5), [...t].reverse().slice(0, ` +
      `4).join('')].join()`,
  ],
  [
    'proxies and reflection',
    `const log = []; const p = new Proxy({ a: 1 }, { get: (t, k) => (log.push('get ' + String(k)), t[k]), ` +
      `has: (t, k) => (log.push('has ' + k), true), ownKeys: () => ['a', 'z'], deleteProperty: () => true }); ` +
      `[p.a, 'q' in p, delete p.x, Reflect.ownKeys(p), Object.getOwnPropertyDescriptor(Object.freeze({ v: 1 ` +
      `}), 'v').writable, log].join('|')`,
  ],
  [
    'getters and symbols',
    `const o = { get [Symbol.toPrimitive]() { return (hint) => hint; }, *[Symbol.iterator]() { yield* 'xyz'; ` +
      `} }; [\`\${o}\`, o * 1, o + '', ...o, Symbol('d').description, Symbol.for('k') === ` +
      `Symbol.for('k')].join()`,
  ],
  [
    'dates',
    `const d = new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 789)); [d.toISOString(), d.getDay(), ` +
      `d.setMonth(13), d.toUTCString(), Date.parse('2026-11-20T10:00:00+02:00'), new Date(NaN).getTime(), new ` +
      `Date(2020, 0, 31).getTimezoneOffset()].join('|')`,
  ],
  [
    'functions as values',
    `const add = (a) => (b) => a + b; [add(1)(2), ((...a) => a.length).call(null, 1, 2), function () { ` +
      `return this.k; }.bind({ k: 'K' })(), Math.max.apply(null, [1, 9, 3]), new Function('a', 'return a * ` +
      `2')(21), (() => {}).name, add.toString()].join('|')`,
  ],
  [
    'eval and scope',
    `var q = 1; const r = (() => { var q = 2; return [eval('q + 1'), (0, eval)('q + 1'), typeof eval('var ` +
      `inner = 5; inner')]; })(); r.join()`,
  ],
  [
    'a sieve',
    'const n = 20000, c = new Array(n).fill(true); for (let i = 2; i * i < n; i++) if (c[i]) for (let j = i ' +
      '* i; j < n; j += i) c[j] = false; String(c.reduce((s, x, i) => s + (x && i > 1 ? i : 0), 0))',
  ],
  [
    'a matrix product',
    'const n = 18, m = (f) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => f(i, ' +
      'j))); const a = m((i, j) => i / (j + 1)), b = m((i, j) => Math.sin(i * j)); String(m((i, j) => ' +
      'a[i].reduce((s, x, k) => s + x * b[k][j], 0)).flat().reduce((x, y) => x + y))',
  ],
  [
    'a shortest path',
    `const w = 17, q = [[0, 0]], seen = new Map([['0,0', 0]]); for (const [x, y] of q) for (const [dx, dy] ` +
      `of [[1, 0], [0, 1], [-1, 0], [0, -1]]) { const k = [x + dx, y + dy]; if (k.every((v) => v >= 0 && v < ` +
      `w) && (k[0] * 7 + k[1] * 3) % 5 !== 1 && !seen.has(k.join())) { seen.set(k.join(), seen.get([x, ` +
      `y].join()) + 1); q.push(k); } } [...seen.values()].join('')`,
  ],
  [
    'an interpreter',
    `const run = (s) => { const t = [0]; let p = 0, o = ''; for (let i = 0; i < s.length; i++) { const c = ` +
      `s[i]; if (c === '>') t[++p] ??= 0; else if (c === '<') p--; else if (c === '+') t[p]++; else if (c === ` +
      `'-') t[p]--; else if (c === '.') o += String.fromCharCode(t[p]); else if (c === '[' && !t[p]) { for ` +
      `(let d = 1; d; ) { i++; d += (s[i] === '[') - (s[i] === ']'); } } else if (c === ']' && t[p]) { for ` +
      `(let d = 1; d; ) { i--; d += (s[i] === ']') - (s[i] === '['); } } } return o; }; ` +
      `run('++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.')`,
  ],
  [
    'garbage in circles',
    `let n = 0; for (let i = 0; i < 4000; i++) { const a = { i }, b = { a, l: [a] }; a.b = b; n += b.a.i; } String(n)`,
  ],
];

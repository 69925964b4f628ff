/**
 * Makes JavaScript programs at random: a small grammar over the language's corners, mixed with what it is given of
 * other people's attacks. Most of them do nonsense, many do harm. Runs none.
 */
import { binary, constructors, functions, methods, names, places, unary, values } from './program-parts';
import type { Choices } from './random';

const traps = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'set', 'apply', 'construct', 'getOwnPropertyDescriptor'];

/** Body of `function (args)`. @param fragments bodies to mix in */
export function randomProgram(choices: Choices, fragments: readonly string[]): string {
  return new Writer(choices, fragments).program();
}

class Writer {
  constructor(
    private readonly choices: Choices,
    private readonly fragments: readonly string[],
  ) {}

  program(): string {
    // Most statements may fail without ending the program, or few programs would get past their first.
    const steps = this.choices.many(2, 6, () =>
      this.choices.once(4) ? this.statement(3) : `try{${this.statement(3)}}catch(e){d=e}`,
    );
    return `var a=[3,1,2],b={x:1},c='text',d;${steps.join('')}return ${this.expression(2)}`;
  }

  private statements(depth: number): string {
    return this.choices.many(1, 5, () => this.statement(depth)).join('');
  }

  private statement(depth: number): string {
    const { choices } = this;
    const quoted = () => `"${choices.of(methods)}"`;
    if (depth <= 0) return `${choices.of(names)}=${this.expression(1)};`;
    return choices.of<() => string>([
      () => `${choices.of(names)}=${this.expression(depth)};`,
      () => `${choices.of(names)}=${this.expression(depth)};`,
      () => `if(${this.expression(1)}){${this.statements(depth - 1)}}else{${this.statement(depth - 1)}}`,
      () =>
        `for(let i=0;i<${choices.of(['3', '10', '100', '1e3', '1e9', 'args.list.length'])};i++){` +
        `${this.statements(depth - 1)}}`,
      () => `for(const v of ${this.expression(1)}){${choices.of(names)}=v;${this.statement(depth - 1)}}`,
      () => `for(const k in ${this.expression(1)}){${choices.of(names)}=k;${this.statement(depth - 1)}}`,
      () => `try{${this.statements(depth - 1)}}catch(e){${choices.of(names)}=e;${this.statement(depth - 1)}}`,
      () => `try{${this.statements(depth - 1)}}finally{${this.statement(depth - 1)}}`,
      () => `do{${this.statements(depth - 1)}}while(${choices.of(['0', '--d', 'a', this.expression(1)])});`,
      () =>
        `${choices.of(places)}[${choices.of(['Symbol.iterator', 'Symbol.toPrimitive', quoted(), quoted()])}]` +
        `=${this.expression(1)};`,
      () =>
        `Object.defineProperty(${choices.of([...places, ...names])},${this.key()},{get(){` +
        `${this.statement(depth - 1)}return ${this.expression(1)}},set(v){},configurable:true});`,
      () =>
        `switch(${this.expression(1)}){case ` +
        `${this.expression(0)}:${this.statement(depth - 1)}default:${this.statement(depth - 1)}}`,
      () =>
        `${choices.of(names)}=function ${choices.of(names)}(x){${this.statements(depth - 1)}return ` +
        `${choices.of(['x', 'a(x)', this.expression(1)])}};`,
      () =>
        `${choices.of(names)}=class{#x=${this.expression(0)};get ${choices.of(methods)}(){return ` +
        `${this.expression(1)}}static y=${this.expression(1)}};`,
      () => `throw ${this.expression(1)};`,
      () => `if(${this.expression(0)})return ${this.expression(1)};`,
      () =>
        this.fragments.length === 0
          ? ';'
          : `${choices.of(names)}=(function(args){${choices.of(this.fragments)}\n})(args);`,
    ])();
  }

  private expression(depth: number): string {
    const { choices } = this;
    if (depth <= 0) return choices.of([choices.of(values), choices.of(names)]);
    const next = () => this.expression(depth - 1);
    const many = () => choices.many(0, 3, next).join(',');
    return choices.of<() => string>([
      () => choices.of(values),
      () => choices.of(names),
      () => `(${next()}${choices.of([' ', '\n'])}${choices.of(binary)} ${next()})`,
      () => `(${choices.of(unary)}(${next()}))`,
      () => `(${next()}).${choices.of(methods)}(${many()})`,
      () => `(${next()})?.${choices.of(methods)}?.(${many()})`,
      () => `(${next()})[${this.key()}]`,
      () => `${choices.of(functions)}(${many()})`,
      () => `new ${choices.of(constructors)}(${many()})`,
      () => `(${next()}?${next()}:${next()})`,
      () => `[${many()},...[${many()}]]`,
      () => `({${this.key()}:${next()},get ${choices.of(methods)}(){return ${next()}},[${this.key()}]:${next()}})`,
      () => `((x,y)=>${next()})`,
      () => `(function*(){yield ${next()};yield* ${next()}})`,
      () => `new Proxy(${next()},{${choices.of(traps)}(){return ${next()}}})`,
      () => `\`\${${next()}}x\``,
      () => `(${choices.of(names)}=${next()})`,
      () => `(()=>{try{${this.statement(depth - 1)}}catch(e){return e}})()`,
    ])();
  }

  private key(): string {
    return `"${this.choices.of([...methods, 'a', '0', 'length', '__proto__', 'constructor', 'text', 'then'])}"`;
  }
}

/** The engine without metering, to measure the cost of metering. It stops no guest: for the bench only. */
import { ByteWriter, s32 } from '../../sandbox/metering/byte-writer';
import { openSection, readModule, SectionId, sectionOrder, type WasmModule } from '../../sandbox/metering/wasm-module';

const counters = ['fuel', 'depth', 'depthLimit'] as const;
const mutableI32 = [0x7f, 1];
const [i32Const, end] = [0x41, 0x0b];
const globalKind = 3;

export function unmeteredEngine(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = readModule(input);
  const globals = counters.map(() => [...mutableI32, i32Const, ...s32(0), end]);
  const exports = counters.map((name, i) =>
    new ByteWriter()
      .name(name)
      .bytes([globalKind])
      .u32(module.globals + i)
      .finish(),
  );
  const output = new ByteWriter(input.length + 256).bytes(input.subarray(0, 8));
  for (const id of sectionOrder) {
    const section = module.sections.get(id);
    if (section === undefined) continue;
    if (id === SectionId.global) output.section(id, longer(module, id, globals));
    else if (id === SectionId.export) output.section(id, longer(module, id, exports));
    else output.section(id, input.subarray(section.start, section.end));
  }
  return output.finish();
}

function longer(module: WasmModule, id: number, items: readonly ArrayLike<number>[]): Uint8Array {
  const reader = openSection(module, id);
  const writer = new ByteWriter().u32(reader.u32() + items.length).bytes(reader.bytes.subarray(reader.at, reader.end));
  for (const item of items) writer.bytes(item);
  return writer.finish();
}

/**
 * A vitest reporter that ends the run with the ten slowest files, the reason of each skipped test, the first error of
 * each failed one and one plain line of counts, for whoever reads logs by machine. It changes no exit code.
 */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const lines = ['The slowest files:', ...slowest(modules, 10)];
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        counts[result.state === 'pending' ? 'skipped' : result.state]++;
        if (result.state === 'skipped') lines.push(`skipped: ${test.fullName}: ${result.note ?? 'no reason given'}`);
        if (result.state === 'failed') lines.push(failure(`${path(module)} > ${test.fullName}`, result.errors));
      }
      // A file that could not be loaded holds no tests, so it counts as one failure.
      if (module.errors().length > 0) {
        counts.failed++;
        lines.push(failure(path(module), module.errors()));
      }
    }
    if (errors.length > 0) lines.push(failure('outside any test', errors as { message?: string }[]));
    // A setup that failed ran no test at all.
    if (reason === 'failed') counts.failed = Math.max(counts.failed, 1);
    lines.push(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    process.on('exit', () => console.log(lines.join('\n')));
  }
}

function slowest(modules: readonly TestModule[], count: number): string[] {
  return modules
    .map((module) => ({ file: path(module), seconds: module.diagnostic().duration / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

function path(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

/** One line, so that whoever collects the failures of several logs needs only its first word. */
function failure(where: string, errors: readonly { message?: string }[]): string {
  const message = stripVTControlCharacters(errors[0]?.message ?? 'no message').replace(/\s+/g, ' ');
  return `failed: ${where}: ${message.slice(0, 400)}`;
}

/**
 * A vitest reporter that ends the run with the ten slowest files, the reason of each skipped test and one plain line of
 * counts, for whoever reads logs by machine. It changes no exit code.
 */
import { relative } from 'node:path';
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
      }
      // A file that could not be loaded holds no tests, so it counts as one failure.
      if (module.errors().length > 0) counts.failed++;
    }
    // A setup that failed ran no test at all.
    if (reason === 'failed') counts.failed = Math.max(counts.failed, 1);
    lines.push(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    process.on('exit', () => console.log(lines.join('\n')));
  }
}

function slowest(modules: readonly TestModule[], count: number): string[] {
  return modules
    .map((module) => ({ file: relative(process.cwd(), module.moduleId), seconds: module.diagnostic().duration / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

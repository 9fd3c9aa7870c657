import { relative } from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';

/**
 * The file of a test from the project's root, and its names from the outermost suite on; a file that failed as a
 * whole has none.
 */
export interface Failure {
  file: string;
  project: string;
  name?: string;
}

/** What failed in these files: their tests, and those that could not be loaded or left something broken behind. */
export const failuresIn = (modules: readonly TestModule[]): Failure[] =>
  modules.flatMap((module) => {
    const where = { file: fileOf(module), project: module.project.name };
    const tests = [...module.children.allTests('failed')].map(({ fullName }) => ({
      ...where,
      name: fullName,
    }));
    return tests.length === 0 && !module.ok() ? [where] : tests;
  });

export const isSkipped = (test: TestCase): boolean => test.result().state === 'skipped';

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

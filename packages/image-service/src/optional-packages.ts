import { OperatorError } from '@darkroom/process';

/**
 * Imports what needs packages that are installed only where they are used. Rejects with an `OperatorError` where one
 * is missing: it names `setting`, which asks for it, and the command that installs all of `packages`.
 */
export async function importOptional<Module>(
  load: () => Promise<Module>,
  { setting, packages }: { setting: string; packages: readonly string[] },
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [, missing] = (isNotFound(error) && /^Cannot find package '([^']+)'/.exec(error.message)) || [];
    if (missing === undefined) throw error;
    throw new OperatorError(`${setting}: the package ${missing} is not installed: ${installing(packages)}`);
  }
}

/**
 * The command that installs packages beside those that are always there, and how containers get them. In production npm
 * removes with it what an earlier one has installed.
 */
export const installing = (packages: readonly string[]): string =>
  `npm install --no-save ${packages.join(' ')} (with Docker Compose: PACKAGES="${packages.join(' ')}" in .env, then docker compose up -d --build)`;

const isNotFound = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

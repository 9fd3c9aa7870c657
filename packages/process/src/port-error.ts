import { OperatorError } from './operator-error.ts';

/**
 * What a failure to listen says to whoever runs the program; `error` itself where they cannot mend it. `settings`: which
 * variables hold the host and the port.
 */
export function portError(error: unknown, settings: { host: string; port: string }, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(`Port ${port} is taken. Set ${settings.port} to another one.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(
        `${settings.host} is not an address of this machine. Set it to one, or to 0.0.0.0 for all of them.`,
      );
    case 'EACCES':
      return new OperatorError(`Port ${port} may not be used. Set ${settings.port} to one above 1023.`);
    default:
      return error;
  }
}

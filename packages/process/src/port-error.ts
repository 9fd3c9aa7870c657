import { codeOf, OperatorError } from './operator-error.ts';

/** Another program listens on the port; `setting` is the variable that holds it. */
export class PortNotFree extends OperatorError {
  readonly port: number;
  readonly setting: string;

  constructor(message: string, { port, setting }: { port: number; setting: string }) {
    super(message);
    this.port = port;
    this.setting = setting;
  }
}

/**
 * What a failure to listen says to whoever runs the program; `error` itself where they cannot mend it. `settings`:
 * which variables hold the host and the port.
 */
export function portError(error: unknown, settings: { host: string; port: string }, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new PortNotFree(`Port ${port} is taken. Set ${settings.port} to another one.`, {
        port,
        setting: settings.port,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    // Nobody says which address the name has; one of this machine's own needs nobody.
    case 'EAI_AGAIN':
      return new OperatorError(
        `${settings.host} is not an address of this machine. Set it to one, or to 0.0.0.0 for all of them.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${port} needs a right that this program lacks, as those below 1024 do. Set ${settings.port} to a higher one.`,
      );
    default:
      return error;
  }
}

import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { freePort } from './listen.ts';
import { pgbouncerPath } from './pgbouncer-path.ts';
import { startCommand } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** It does not run as root. */
const NOBODY = 65_534;

/**
 * PgBouncer as it comes, in front of the PostgreSQL server behind `server`; resolves with the URL of the same
 * database by way of it. With `tls` it takes encrypted connections only, and `ca` is the file by which they are
 * checked. Ends with the test.
 */
export async function startPgbouncer(
  server: string,
  { mode, tls = false }: { mode: 'session' | 'transaction' | 'statement'; tls?: boolean },
): Promise<{ url: string; ca: string }> {
  const folder = await temporaryFolder();
  const { hostname, port, username, password } = new URL(server);
  const [key, ca] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  if (tls) await createCertificate(key, ca);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: mode,
    ...(tls && { client_tls_sslmode: 'require', client_tls_key_file: key, client_tls_cert_file: ca }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const head = `[databases]\n* = host=${hostname} port=${port || 5_432}\n[pgbouncer]\n${lines.join('\n')}\n`;
  const file = join(folder, 'pgbouncer.ini');
  await chmod(folder, 0o755);

  async function start(): Promise<number> {
    const ownPort = await freePort();
    await writeFile(file, `${head}listen_port = ${ownPort}\n`);
    const program = startCommand(
      [pgbouncerPath ?? 'pgbouncer', file],
      {},
      process.getuid?.() === 0 ? { uid: NOBODY } : {},
    );
    onTestFinished(async () => void (await program.end('SIGKILL')));
    await program.says('process up');
    return ownPort;
  }
  // Another may have taken the port by then.
  const ownPort = await start().catch(start);
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = `${ownPort}`;
  return { url: url.href, ca };
}

/** A certificate for 127.0.0.1 that signs itself. */
async function createCertificate(key: string, certificate: string): Promise<void> {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
    ...subject,
    ...files,
  ]);
  // Another user reads it, in a folder that goes with the test.
  await chmod(key, 0o644);
}

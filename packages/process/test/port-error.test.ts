import { expect, test } from 'vitest';
import { OperatorError } from '../src/operator-error.ts';
import { PortNotFree, portError } from '../src/port-error.ts';

const SETTINGS = { host: 'HTTP_HOST', port: 'HTTP_PORT' };

/** What is said of a failure of `listen`, as Node reports it. */
const said = (code: string, port: number) =>
  portError(Object.assign(new Error(`listen ${code}`), { code }), SETTINGS, port);

test('a port on which another program listens is not free', () => {
  const error = said('EADDRINUSE', 8080);
  expect(error).toBeInstanceOf(PortNotFree);
  expect(error).toMatchObject({ port: 8080, setting: 'HTTP_PORT' });
});

test('a port that needs a right is not said to be taken', () => {
  const error = said('EACCES', 80);
  expect(error).toBeInstanceOf(OperatorError);
  expect(error).not.toBeInstanceOf(PortNotFree);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Port 80 needs a right .*HTTP_PORT to a higher one/),
  });
});

test('a host that is no address of this machine is named, also where nobody says what its address is', () => {
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])
    expect(said(code, 8080), code).toMatchObject({
      message: expect.stringMatching(/^HTTP_HOST is not an address of this machine/),
    });
});

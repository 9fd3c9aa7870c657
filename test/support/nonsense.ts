import { createServer } from 'node:http';
import { listen } from '@darkroom/testing';
import { onTestFinished } from 'vitest';

/** The address of something that answers everything with a page. Closes with the test. */
export async function nonsense(): Promise<string> {
  const server = createServer((_, response) => void response.end('<html>Hello</html>'));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

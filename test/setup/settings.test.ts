import { expect, test } from 'vitest';
import { withoutPassword } from '../../src/setup/settings.ts';

test.each([
  ['http://me:secret@10.0.0.5:7860', 'http://10.0.0.5:7860'],
  ['http://me:secret@a:1,https://you:secret@b:2/sd', 'http://a:1,https://b:2/sd'],
  ['http://me:sec@ret@a:1, http://a:2', 'http://a:1, http://a:2'],
  ['http://a:1/of@me?to=@you', 'http://a:1/of@me?to=@you'],
  ['http://a:1?to=me@you', 'http://a:1?to=me@you'],
])('of %s everybody reads %s', (address, shown) => {
  expect(withoutPassword(address)).toBe(shown);
});

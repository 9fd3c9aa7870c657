import { createHash } from 'node:crypto';

/** A picture for a user or a server, drawn from its id: a gradient and the first letter of its name. */
export function renderAvatar(id: string, name: string): string {
  const [a = 0, b = 0, tilt = 0] = createHash('sha256').update(id).digest();
  const from = Math.round((a / 255) * 360);
  const to = (from + 40 + Math.round((b / 255) * 60)) % 360;
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
<defs><linearGradient id="g" gradientTransform="rotate(${tilt % 90} .5 .5)">
<stop stop-color="hsl(${from} 62% 52%)"/><stop offset="1" stop-color="hsl(${to} 66% 38%)"/>
</linearGradient></defs>
<rect width="256" height="256" fill="url(#g)"/>
<text x="128" y="128" dy=".36em" text-anchor="middle" font-family="sans-serif" font-size="128" font-weight="600" fill="#fff">${escapeXml(letter)}</text>
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
}

import { css, type Rgb } from '../colour.ts';
import { between, type Random } from '../random.ts';
import { svg } from '../svg.ts';

/** Colours of a tree in the light of its scene. */
export interface Leafage {
  dark: Rgb;
  bright: Rgb;
  trunk: Rgb;
}

/** SVG of a fir, its foot at (x, y), in thousandths of the picture's height; `snow` lies on its boughs. */
export function fir(
  random: Random,
  x: number,
  y: number,
  size: number,
  leafage: Leafage,
  snow: Rgb | undefined,
): string {
  const tiers = (size > 450 ? 9 : 5) + Math.floor(random() * 3);
  const half = size * between(random, 0.17, 0.22);
  const trunk = svg`<rect x="${x - size * 0.018}" y="${y - size * 0.12}" width="${size * 0.036}" height="${size * 0.14}" fill="${css(leafage.trunk)}"/>`;
  let drawn = trunk;
  for (let tier = tiers - 1; tier >= 0; tier--) {
    const top = y - size + (size * 0.9 * tier) / tiers;
    const low = top + (size * 1.5) / tiers;
    const wide = half * ((tier + 1) / tiers) ** 0.85 * between(random, 0.9, 1.1);
    const lift = (size / tiers) * 0.14;
    const bough = (side: 1 | -1) =>
      svg`M${x} ${top}Q${x + side * wide * 0.35} ${top + (low - top) * 0.62} ${x + side * wide} ${low}L${x + side * wide * 0.55} ${low - lift}L${x + side * wide * 0.25} ${low + lift * 0.6}L${x} ${low - lift}Z`;
    drawn += `<path d="${bough(-1)}" fill="${css(leafage.bright)}"/><path d="${bough(1)}" fill="${css(leafage.dark)}"/>`;
    if (snow) {
      const rim = (side: 1 | -1, thick: number) =>
        svg`M${x} ${top}Q${x + side * wide * 0.35} ${top + (low - top) * 0.62} ${x + side * wide} ${low}Q${x + side * wide * (0.35 - thick)} ${top + (low - top) * 0.78} ${x} ${top + (low - top) * (0.2 + thick)}Z`;
      drawn += `<path d="${rim(-1, 0.16)}${rim(1, 0.06)}" fill="${css(snow)}" opacity="0.9"/>`;
    }
  }
  return drawn;
}

/** SVG of a tree with a crown of leaves, as `fir`. */
export function broadleaf(random: Random, x: number, y: number, size: number, leafage: Leafage): string {
  const lean = between(random, -0.06, 0.06) * size;
  const trunk = svg`<path d="M${x - size * 0.035} ${y}Q${x - size * 0.012} ${y - size * 0.25} ${x + lean - size * 0.015} ${y - size * 0.55}L${x + lean + size * 0.015} ${y - size * 0.55}Q${x + size * 0.014} ${y - size * 0.25} ${x + size * 0.04} ${y}Z" fill="${css(leafage.trunk)}"/>`;
  let under = '';
  let over = '';
  for (let lump = 0; lump < 11; lump++) {
    const angle = (lump / 11) * Math.PI * 2;
    const reach = between(random, 0.1, 0.24) * size;
    const cx = x + lean + Math.cos(angle) * reach * 1.1;
    const cy = y - size * 0.68 + Math.sin(angle) * reach * 0.85;
    const radius = size * between(random, 0.1, 0.16);
    under += svg`<circle cx="${cx}" cy="${cy}" r="${radius}"/>`;
    if (Math.sin(angle) < 0.35)
      over += svg`<circle cx="${cx - radius * 0.25}" cy="${cy - radius * 0.3}" r="${radius * 0.68}"/>`;
  }
  return svg`${trunk}<g fill="${css(leafage.dark)}">${under}<circle cx="${x + lean}" cy="${y - size * 0.66}" r="${size * 0.2}"/></g><g fill="${css(leafage.bright)}">${over}</g>`;
}

/** SVG of a palm, as `fir`. */
export function palm(random: Random, x: number, y: number, size: number, leafage: Leafage): string {
  const bend = between(random, -0.22, 0.22) * size;
  const topX = x + bend;
  const topY = y - size * 0.8;
  const trunk = svg`<path d="M${x} ${y}Q${x + bend * 0.1} ${y - size * 0.5} ${topX} ${topY}" stroke="${css(leafage.trunk)}" stroke-width="${size * 0.035}" fill="none" stroke-linecap="round"/>`;
  let fronds = '';
  for (let frond = 0; frond < 8; frond++) {
    const angle = Math.PI * (1 + frond / 7) + between(random, -0.12, 0.12);
    const tipX = topX + Math.cos(angle) * size * 0.34;
    const tipY = topY + Math.sin(angle) * size * 0.16 + size * 0.12;
    const midX = topX + Math.cos(angle) * size * 0.2;
    const midY = topY + Math.sin(angle) * size * 0.22;
    fronds += svg`<path d="M${topX} ${topY}Q${midX} ${midY - size * 0.05} ${tipX} ${tipY}Q${midX} ${midY + size * 0.03} ${topX} ${topY}Z" fill="${css(frond % 2 ? leafage.dark : leafage.bright)}"/>`;
  }
  return trunk + fronds;
}

/** SVG of a stand of bamboo, as `fir`. */
export function bamboo(random: Random, x: number, y: number, size: number, leafage: Leafage): string {
  let drawn = '';
  for (let cane = 0; cane < 3; cane++) {
    const tall = size * between(random, 0.95, 1.45);
    const foot = x + (cane - 1) * size * 0.09;
    const lean = between(random, -0.05, 0.05) * tall;
    const at = (share: number) => [foot + lean * share ** 2, y - tall * share] as const;
    for (let joint = 0; joint < 9; joint++) {
      const [fromX, fromY] = at(joint / 9 + 0.006);
      const [toX, toY] = at((joint + 1) / 9);
      drawn += svg`<path d="M${fromX} ${fromY}L${toX} ${toY}" stroke="${css(joint % 3 ? leafage.bright : leafage.dark)}" stroke-width="${size * 0.026}"/>`;
      if (joint < 4) continue;
      for (const side of [-1, 1]) {
        const reach = size * between(random, 0.08, 0.17) * side;
        drawn += svg`<path d="M${toX} ${toY}q${reach * 0.5} ${-size * 0.03} ${reach} ${size * 0.05}q${-reach * 0.6} ${-size * 0.01} ${-reach} ${-size * 0.05}z" fill="${css(leafage.bright)}"/>`;
      }
    }
  }
  return drawn;
}

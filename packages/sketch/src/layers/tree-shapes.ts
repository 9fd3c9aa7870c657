import { css, type Rgb } from '../colour.ts';
import { between, type Random } from '../random.ts';

/** Colours of a tree in the light of its scene. */
export interface Leafage {
  dark: Rgb;
  bright: Rgb;
  trunk: Rgb;
}

const n = (value: number) => value.toFixed(1);

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
  const trunk = `<rect x="${n(x - size * 0.018)}" y="${n(y - size * 0.12)}" width="${n(size * 0.036)}" height="${n(size * 0.14)}" fill="${css(leafage.trunk)}"/>`;
  let drawn = trunk;
  for (let tier = tiers - 1; tier >= 0; tier--) {
    const top = y - size + (size * 0.9 * tier) / tiers;
    const low = top + (size * 1.5) / tiers;
    const wide = half * ((tier + 1) / tiers) ** 0.85 * between(random, 0.9, 1.1);
    const lift = (size / tiers) * 0.14;
    const bough = (side: 1 | -1) =>
      `M${n(x)} ${n(top)}Q${n(x + side * wide * 0.35)} ${n(top + (low - top) * 0.62)} ${n(x + side * wide)} ${n(low)}L${n(x + side * wide * 0.55)} ${n(low - lift)}L${n(x + side * wide * 0.25)} ${n(low + lift * 0.6)}L${n(x)} ${n(low - lift)}Z`;
    drawn += `<path d="${bough(-1)}" fill="${css(leafage.bright)}"/><path d="${bough(1)}" fill="${css(leafage.dark)}"/>`;
    if (snow) {
      const rim = (side: 1 | -1, thick: number) =>
        `M${n(x)} ${n(top)}Q${n(x + side * wide * 0.35)} ${n(top + (low - top) * 0.62)} ${n(x + side * wide)} ${n(low)}Q${n(x + side * wide * (0.35 - thick))} ${n(top + (low - top) * 0.78)} ${n(x)} ${n(top + (low - top) * (0.2 + thick))}Z`;
      drawn += `<path d="${rim(-1, 0.16)}${rim(1, 0.06)}" fill="${css(snow)}" opacity="0.9"/>`;
    }
  }
  return drawn;
}

/** SVG of a tree with a crown of leaves, as `fir`. */
export function broadleaf(random: Random, x: number, y: number, size: number, leafage: Leafage): string {
  const lean = between(random, -0.06, 0.06) * size;
  const trunk = `<path d="M${n(x - size * 0.035)} ${n(y)}Q${n(x - size * 0.012)} ${n(y - size * 0.25)} ${n(x + lean - size * 0.015)} ${n(y - size * 0.55)}L${n(x + lean + size * 0.015)} ${n(y - size * 0.55)}Q${n(x + size * 0.014)} ${n(y - size * 0.25)} ${n(x + size * 0.04)} ${n(y)}Z" fill="${css(leafage.trunk)}"/>`;
  let under = '';
  let over = '';
  for (let lump = 0; lump < 11; lump++) {
    const angle = (lump / 11) * Math.PI * 2;
    const reach = between(random, 0.1, 0.24) * size;
    const cx = x + lean + Math.cos(angle) * reach * 1.1;
    const cy = y - size * 0.68 + Math.sin(angle) * reach * 0.85;
    const radius = size * between(random, 0.1, 0.16);
    under += `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(radius)}"/>`;
    if (Math.sin(angle) < 0.35)
      over += `<circle cx="${n(cx - radius * 0.25)}" cy="${n(cy - radius * 0.3)}" r="${n(radius * 0.68)}"/>`;
  }
  return `${trunk}<g fill="${css(leafage.dark)}">${under}<circle cx="${n(x + lean)}" cy="${n(y - size * 0.66)}" r="${n(size * 0.2)}"/></g><g fill="${css(leafage.bright)}">${over}</g>`;
}

/** SVG of a palm, as `fir`. */
export function palm(random: Random, x: number, y: number, size: number, leafage: Leafage): string {
  const bend = between(random, -0.22, 0.22) * size;
  const topX = x + bend;
  const topY = y - size * 0.8;
  const trunk = `<path d="M${n(x)} ${n(y)}Q${n(x + bend * 0.1)} ${n(y - size * 0.5)} ${n(topX)} ${n(topY)}" stroke="${css(leafage.trunk)}" stroke-width="${n(size * 0.035)}" fill="none" stroke-linecap="round"/>`;
  let fronds = '';
  for (let frond = 0; frond < 8; frond++) {
    const angle = Math.PI * (1 + frond / 7) + between(random, -0.12, 0.12);
    const tipX = topX + Math.cos(angle) * size * 0.34;
    const tipY = topY + Math.sin(angle) * size * 0.16 + size * 0.12;
    const midX = topX + Math.cos(angle) * size * 0.2;
    const midY = topY + Math.sin(angle) * size * 0.22;
    fronds += `<path d="M${n(topX)} ${n(topY)}Q${n(midX)} ${n(midY - size * 0.05)} ${n(tipX)} ${n(tipY)}Q${n(midX)} ${n(midY + size * 0.03)} ${n(topX)} ${n(topY)}Z" fill="${css(frond % 2 ? leafage.dark : leafage.bright)}"/>`;
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
      drawn += `<path d="M${n(fromX)} ${n(fromY)}L${n(toX)} ${n(toY)}" stroke="${css(joint % 3 ? leafage.bright : leafage.dark)}" stroke-width="${n(size * 0.026)}"/>`;
      if (joint < 4) continue;
      for (const side of [-1, 1]) {
        const reach = size * between(random, 0.08, 0.17) * side;
        drawn += `<path d="M${n(toX)} ${n(toY)}q${n(reach * 0.5)} ${n(-size * 0.03)} ${n(reach)} ${n(size * 0.05)}q${n(-reach * 0.6)} ${n(-size * 0.01)} ${n(-reach)} ${n(-size * 0.05)}z" fill="${css(leafage.bright)}"/>`;
      }
    }
  }
  return drawn;
}

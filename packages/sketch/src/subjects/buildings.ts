import { box, type Draw, fill, line, oval, shades } from './figure.ts';
import { LAMP, pane } from './panes.ts';

export const lighthouse: Draw = (_random, coat) => {
  const red = shades(coat ?? [0.57, 0.19, 28]);
  const band = (top: number, bottom: number) => {
    const half = (y: number) => 7.6 + (y - 26) * 0.078;
    return (
      fill(
        red.base,
        `M${50 - half(top)} ${top}H${50 + half(top)}L${50 + half(bottom)} ${bottom}H${50 - half(bottom)}Z`,
      ) +
      fill(
        red.dark,
        `M${50 + half(top) * 0.25} ${top}H${50 + half(top)}L${50 + half(bottom)} ${bottom}H${50 + half(bottom) * 0.25}Z`,
      )
    );
  };
  const rock = shades([0.4, 0.025, 260]);
  return {
    body:
      fill(
        rock.base,
        'M-14 106C-4 98 6 97 14 93C22 88 30 90 36 87H66C76 88 82 93 92 96C104 99 112 103 118 106Z',
      ) +
      fill(rock.light, 'M14 93C22 88 30 90 36 87H50C44 90 36 91 30 95C24 98 18 97 6 101Z', 'opacity="0.5"') +
      box('#efe9df', 66, 76, 20, 13) +
      fill(red.dark, 'M63 77L76 67L89 77Z') +
      fill('#f6f1e8', 'M42.4 26H57.6L62.6 90H37.4Z') +
      fill('#d5cfd0', 'M52 26H57.6L62.6 90H53.4Z') +
      band(34, 46) +
      band(58, 70) +
      band(82, 90) +
      box('#39323f', 39, 24, 22, 3, 1) +
      box('#39323f', 43.4, 12, 13.2, 12, 1) +
      fill(red.base, 'M41.6 12.4C43 6 48 4 50 1C52 4 57 6 58.4 12.4Z') +
      line('#39323f', 0.8, 'M40 24V19.4H60V24M44 24V20M48 24V20M52 24V20M56 24V20') +
      box('#4b4450', 47.4, 49, 4, 6, 2) +
      box('#4b4450', 47, 73, 4.4, 6, 2) +
      fill('#4b3a3a', 'M46.4 90V84.6C46.4 81.6 53.6 81.6 53.6 84.6V90Z'),
    glow: `<linearGradient id="beam"><stop offset="0" stop-color="#fff3b8" stop-opacity="0"/><stop offset="1" stop-color="#fff3b8" stop-opacity=".75"/></linearGradient><linearGradient id="ray"><stop offset="0" stop-color="#fff3b8" stop-opacity=".75"/><stop offset="1" stop-color="#fff3b8" stop-opacity="0"/></linearGradient><path d="M47 16L-90 -14V22L47 20Z" fill="url(#beam)"/><path d="M53 16L190 6V46L53 20Z" fill="url(#ray)"/>${box('#fff6cf', 45, 13.4, 10, 9.6, 2)}${pane(72, 80, 3, 4)}${pane(78, 80, 3, 4)}`,
  };
};

export const cabin: Draw = (_random, coat) => {
  const log = shades([0.46, 0.075, 50]);
  const roof = shades(coat ?? [0.36, 0.06, 25]);
  const logs = [62, 68, 74, 80, 86, 92].map((y) => `M16 ${y}H60`).join('');
  const smoke = `<g fill="#fff" opacity="0.28">${oval('#fff', 74, 14, 4)}${oval('#fff', 78, 6, 5.4)}${oval('#fff', 85, -4, 7)}${oval('#fff', 95, -15, 9)}</g>`;
  return {
    body:
      box('#8b7f80', 70, 18, 8, 26) +
      box('#6d6266', 75, 18, 3, 26) +
      box('#9a8d8c', 69, 16, 10, 4) +
      box(log.base, 14, 56, 47, 43) +
      line(log.dark, 1.1, logs) +
      box(log.dark, 60, 52, 34, 47) +
      fill(log.base, 'M60 58L36 30L14 58Z') +
      fill(roof.base, 'M36 24L78 24L99 58H61Z') +
      fill(roof.dark, 'M36 22L6 60L11 62L36 33L60 62L64 59Z') +
      line(roof.dark, 0.9, 'M42 34H83M48 42H88M54 50H94') +
      fill('#4a2e2a', 'M30 99V80C30 76 42 76 42 80V99Z') +
      box('#e0b45e', 39, 88, 1.6, 1.6, 0.8) +
      box('#5a3c30', 46.4, 68, 12, 13, 1) +
      box('#5a3c30', 69, 66, 15, 15, 1) +
      box('#5a3c30', 31, 44, 10, 10, 1),
    glow: `${smoke}${box(LAMP, 47.6, 69.2, 9.6, 10.6)}${box(LAMP, 70.4, 67.4, 12.2, 12.2)}${box(LAMP, 32.2, 45.2, 7.6, 7.6)}${line('#5a3c30', 1, 'M52.4 69V80M47.6 74.4H57.2M76.5 67V80M70.4 73.4H82.6M36 45V53')}`,
  };
};

export const temple: Draw = (_random, coat) => {
  const wood = shades(coat ?? [0.52, 0.17, 30]);
  const tile = shades([0.36, 0.045, 240]);
  const storey = (y: number, half: number, tall: number) =>
    box(wood.base, 50 - half * 0.62, y, half * 1.24, tall) +
    box(wood.dark, 50 + half * 0.2, y, half * 0.42, tall) +
    line('#f0d9ae', 1, `M${50 - half * 0.4} ${y + 2}V${y + tall}M${50 + half * 0.4} ${y + 2}V${y + tall}`) +
    fill(
      tile.base,
      `M${50 - half * 1.18} ${y - 1}C${50 - half * 0.9} ${y + 1} ${50 - half * 0.6} ${y - 5} ${50 - half * 0.4} ${y - 9}H${50 + half * 0.4}C${50 + half * 0.6} ${y - 5} ${50 + half * 0.9} ${y + 1} ${50 + half * 1.18} ${y - 1}C${50 + half * 0.95} ${y + 5} ${50 + half * 0.6} ${y + 3.4} ${50} ${y + 3.4}C${50 - half * 0.6} ${y + 3.4} ${50 - half * 0.95} ${y + 5} ${50 - half * 1.18} ${y - 1}Z`,
    ) +
    fill(
      tile.light,
      `M${50 - half * 0.4} ${y - 9}H${50 + half * 0.1}C${50 - half * 0.2} ${y - 5} ${50 - half * 0.6} ${y - 1} ${50 - half * 1.0} ${y + 0.6}C${50 - half * 0.7} ${y - 3} ${50 - half * 0.5} ${y - 6} ${50 - half * 0.4} ${y - 9}Z`,
      'opacity="0.5"',
    );
  return {
    body:
      box('#a39a98', 16, 92, 68, 7, 1) +
      box('#8a8183', 22, 88, 56, 5, 1) +
      line('#3a3444', 1.6, 'M50 22V4') +
      oval('#d9a94e', 50, 10, 2.2, 1.2) +
      oval('#d9a94e', 50, 14, 2.8, 1.4) +
      oval('#d9a94e', 50, 5, 1.4) +
      storey(74, 30, 14) +
      storey(54, 25, 13) +
      storey(36, 20, 12) +
      fill('#4a2c2c', 'M45 88V79H55V88Z'),
    glow: [76, 56, 38]
      .map((y, row) => pane(41 - (2 - row) * 0.2 - 2, y + 3, 3.6, 6) + pane(57, y + 3, 3.6, 6))
      .join(''),
  };
};

export const church: Draw = (_random, coat) => {
  const wall = shades([0.9, 0.025, 80]);
  const roof = shades(coat ?? [0.48, 0.11, 35]);
  return {
    body:
      box(wall.base, 44, 60, 44, 39) +
      fill(roof.base, 'M40 62L50 42H84L94 62Z') +
      fill(roof.dark, 'M62 42H84L94 62H66Z') +
      box(wall.base, 24, 40, 24, 59) +
      box(wall.dark, 40, 40, 8, 59) +
      fill(roof.base, 'M21 41L36 4L51 41Z') +
      fill(roof.dark, 'M36 4L51 41H40Z') +
      line('#e0b45e', 1.4, 'M36 5V-6M32.4 -2.4H39.6') +
      fill('#4a332c', 'M30 99V86C30 80 41 80 41 86V99Z') +
      oval('#5b5560', 35.6, 52, 4.6) +
      oval('#f4ede0', 35.6, 52, 3.6) +
      line('#3a3444', 0.8, 'M35.6 52V49.4M35.6 52L37.6 53'),
    glow: pane(33.4, 66, 4.4, 9) + pane(54, 70, 5, 13) + pane(66, 70, 5, 13) + pane(78, 70, 5, 13),
  };
};

export const windmill: Draw = (random, coat) => {
  const wall = shades(coat ?? [0.9, 0.025, 80]);
  const blade =
    '<path d="M0 0L-2 -40H9L2 0Z" fill="#f7efe0"/><path d="M0 0V-43" stroke="#6a4c3a" stroke-width="1.6"/><path d="M-1.6 -34H8.4M-1.4 -27H7M-1.2 -20H5.6M-1 -13H4" stroke="#a98c6c" stroke-width=".7"/>';
  const turn = 12 + random() * 60;
  return {
    body: `${fill(wall.base, 'M39 44H61L68 99H32Z')}${fill(wall.dark, 'M54 44H61L68 99H57Z')}${fill('#a2493c', 'M37 45C38 34 44 28 50 28C56 28 62 34 63 45Z')}${fill('#5a3c30', 'M45 99V87C45 82 55 82 55 87V99Z')}${line('#8a6f58', 1.6, 'M33 80H67')}<g transform="translate(50 42) rotate(${turn.toFixed(0)})">${[0, 90, 180, 270].map((angle) => `<g transform="rotate(${angle})">${blade}</g>`).join('')}<circle r="3" fill="#4a332c"/></g>`,
    glow: pane(47.6, 58, 4, 7) + pane(47.6, 71, 4, 6),
  };
};

import type { Oklch } from '../colour.ts';

export const COLOUR_WORDS = {
  red: 'red crimson scarlet ruby rot roter rote roten rotes rouge rojo roja rosso rossa 赤 红 красный',
  orange: 'orange ginger tangerine amber copper oranger oranges anaranjado arancione オレンジ 橙',
  gold: 'gold goldener goldenes doré dorado oro 金',
  yellow: 'yellow lemon gelb gelber gelbe jaune amarillo giallo 黄 жёлтый',
  green: 'green emerald olive jade grün grüner grüne grünen vert verte verde 緑 绿 зелёный',
  teal: 'teal turquoise cyan aqua mint türkis turquesa',
  blue: 'blue azure cobalt navy indigo sapphire blau blauer blaue blauen blaues bleu bleue azul blu 青 蓝 синий',
  purple: 'purple violet lilac lavendel lila violett pourpre morado viola 紫',
  pink: 'pink magenta fuchsia rosé rosado ピンク 粉',
  brown: 'brown chestnut bronze braun brauner braune braunen marron marrón marrone 茶色 коричневый',
  white: 'white ivory weiß weiss weißer weiße weißen blanc blanche blanco bianca bianco 白 белый',
  black: 'black obsidian ebony schwarz schwarzer schwarze schwarzen noire negro nero 黒 黑 чёрный',
  grey: 'grey gray silver grau grauer graue grauen silbern gris argent plata grigio 灰 серый',
} as const;

export type ColourName = keyof typeof COLOUR_WORDS;

export const COLOURS: Record<ColourName, Oklch> = {
  red: [0.58, 0.2, 27],
  orange: [0.7, 0.17, 52],
  gold: [0.8, 0.15, 85],
  yellow: [0.88, 0.17, 100],
  green: [0.62, 0.15, 148],
  teal: [0.7, 0.11, 195],
  blue: [0.52, 0.15, 255],
  purple: [0.5, 0.16, 300],
  pink: [0.75, 0.14, 350],
  brown: [0.45, 0.08, 55],
  white: [0.96, 0.01, 90],
  black: [0.24, 0.015, 270],
  grey: [0.65, 0.015, 250],
};

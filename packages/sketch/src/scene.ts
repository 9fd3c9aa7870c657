import type { ColourName } from './lexicon/colours.ts';
import type { Element, Framing, Mood, Season, Time, Weather } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { Style } from './lexicon/styles.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Reading } from './prompt-reading.ts';
import type { Streams } from './random.ts';
import type { Role } from './roles.ts';
import type { Palette } from './skies.ts';

/** What a picture shows and where; decided by `createScene`, drawn by the layers. */
export interface Scene {
  aspect: number;
  style: Style;
  place: Place;
  /** What closes the view. */
  backdrop: 'mountains' | 'hills' | 'forest' | 'city' | 'dunes' | 'none';
  /** What lies at the viewer's feet. */
  ground: 'grass' | 'snow' | 'sand' | 'rock' | 'paving' | 'none';
  water: boolean;
  time: Time;
  weather: Weather;
  season: Season;
  moods: readonly Mood[];
  colours: readonly ColourName[];
  elements: ReadonlySet<Element>;
  palette: Palette;
  framing: Framing;
  likeness: Pick<Reading, 'features' | 'traits'>;
  /** Height of the horizon, of the picture's height from the top. */
  horizon: number;
  light: Light | undefined;
  actors: readonly Actor[];
  /** What the text names and the picture does not show, as it is written there: at most eight words or names. */
  notDrawn: readonly string[];
  streams: Streams;
}

/** Ways to draw a subject other than the usual one. */
export type Pose = 'close' | 'submerged' | 'seated' | 'ridden';

/** A scene before the composition decides where things are. */
export type Setting = Omit<Scene, 'horizon' | 'light' | 'actors' | 'notDrawn'>;

/** Sun or moon; the position may lie outside the picture. */
export interface Light {
  kind: 'sun' | 'moon';
  x: number;
  y: number;
  radius: number;
}

/** A subject on its place: foot at (x, y), `size` high, all in picture heights. */
export interface Actor {
  kind: SubjectKind;
  coat: ColourName | undefined;
  rider: Role['rider'];
  /** What is said of this one alone; of everybody where there is one only. */
  traits?: Role['traits'];
  pose: Pose | undefined;
  x: number;
  y: number;
  size: number;
  mirrored: boolean;
  /** Which of the streams draws its variation. */
  stream: string;
}

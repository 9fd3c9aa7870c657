/** What somebody does or feels, which a drawing that stands still does not show. */
export const ACTION_WORDS =
  'fighting fights battling duelling dueling dancing dances jumping jumps leaping leaps running runs chasing chases climbing climbs crawling sleeping sleeps reading reads writing writes playing plays cooking cooks eating eats drinking drinks singing sings crying kissing hugging fishing swimming swims surfing skating skiing throwing throws kicking driving drives digging juggling flying flies diving exploding kneeling praying meditating sad angry smiling laughing surprised tired sleepy hungry scared kämpft kämpfen kämpfend kämpfende kämpfenden tanzt tanzen tanzend tanzende springt springen springend rennt rennen rennend klettert liest lesen lesend schläft schlafen schlafend schlafende kocht kochen isst essend trinkt singt singen spielt spielen spielend schwimmt schwimmen fliegt fliegen fliegend fliegende angelt weint küssen umarmen traurig trauriger traurige trauriges wütend wütender wütende lächelnd lächelnde lachend lachende müde müder';

/** Those of them that show where somebody is in the air, or in the water. */
export const AIRBORNE_WORDS = 'flying flies fliegt fliegen fliegend fliegende';
export const AFLOAT_WORDS = 'swimming swims diving schwimmt schwimmen';

/** Where a picture is set, and the words that ask for it. */
export const PLACE_WORDS = {
  mountains:
    'mountain mountains alps peak peaks summit cliff cliffs volcano fjord berg berge bergen gebirge gipfel montagne montagnes montaña montañas montagna 山 горы гора',
  forest:
    'forest forests woods wood woodland jungle rainforest grove wald wälder dschungel forêt bosque selva foresta 森 森林 лес',
  sea: 'sea ocean coast coastal shore beach waves bay harbor harbour surf hafen meer ozean küste strand wellen mer océan plage mar océano playa mare spiaggia 海 浜 море',
  island: 'island islands tropical atoll insel inseln île isla isola 島 岛 остров',
  lake: 'lake lakes bergsee pond river rivers lagoon stream reflection see teich fluss lac rivière lago río fiume 湖 川 河 озеро река',
  desert:
    'desert dunes dune sahara canyon savanna savannah oasis mesa wüste düne dünen désert desierto deserto 砂漠 沙漠 пустыня',
  meadow:
    'meadow field fields garden park prairie hills hill countryside farm grassland valley wiese feld garten hügel tal champ jardin colline prado campo jardín giardino 草原 野原 луг поле',
  city: 'city skyline town metropolis urban skyscraper skyscrapers downtown tokyo york manhattan paris london berlin cyberpunk stadt großstadt ville ciudad città 都市 街 城市 город',
  street: 'street streets alley avenue boulevard straße strasse gasse rue calle',
  rooftop:
    'rooftop rooftops roof roofs terrace balcony dach dächer dachterrasse terrasse balkon toit azotea tetto 屋上',
  arctic:
    'arctic antarctic polar glacier iceberg icebergs tundra arktis gletscher eisberg arctique ártico 氷河 冰川 северный',
  moonscape: 'lunar crater craters mondlandschaft krater lunaire 月面',
  mars: 'mars martian marte 火星 марс марсе',
  space:
    'space galaxy galaxies cosmos cosmic nebula universe orbit interstellar weltraum weltall galaxie espace univers espacio galaxia spazio 宇宙 太空 космос',
  underwater:
    'underwater undersea reef coral seabed submarine aquarium unterwasser riff korallen récif submarino arrecife 水中 海底 подводный',
  table:
    'table kitchen stilllife stillleben food meal breakfast lunch dinner restaurant diner dining küche tisch essen frühstück abendessen cuisine repas cocina comida bodegón cucina tavola 食卓 台所 キッチン 厨房 кухня еда стол',
  studio: 'studio backdrop indoors atelier スタジオ',
  abstract:
    'abstract pattern fractal swirl swirls shapes geometry geometric texture gradient abstrakt muster abstrait abstracto astratto 抽象 абстракция',
} as const;

/** Of these, the words that name something which their place does not show. */
export const MORE_THAN_A_PLACE =
  'paris london berlin tokyo york manhattan harbor harbour hafen volcano farm oasis submarine submarino aquarium kitchen küche cuisine cocina cucina 台所 キッチン 厨房 кухня restaurant diner';

export type Place = keyof typeof PLACE_WORDS;

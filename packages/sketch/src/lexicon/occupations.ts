/**
 * What people are or do, in words that stand for a person. One is drawn as a man or a woman, and not at work. `kin`:
 * what they are to each other, or how old. `costumed`: one would know them by their clothes, which are not drawn.
 */
export const OCCUPATION_WORDS = {
  any: 'farmer sailor chef cook baker doctor nurse surgeon dentist teacher student professor scientist engineer pilot captain detective spy musician singer guitarist pianist violinist drummer dancer painter artist sculptor writer author poet philosopher photographer journalist lawyer judge politician president mayor hunter miner blacksmith carpenter worker mechanic gardener barista bartender barber tailor merchant librarian athlete climber cyclist swimmer tourist pilgrim explorer adventurer hermit beggar thief scholar astronomer backpacker',
  female:
    'fisherwoman granddaughter waitress actress nun empress businesswoman policewoman sister daughter aunt wife girlfriend maiden enkelin fischerin bäuerin köchin bäckerin ärztin lehrerin schülerin studentin pilotin kapitänin tänzerin künstlerin malerin musikerin sängerin schriftstellerin gärtnerin wissenschaftlerin kellnerin krankenschwester kriegerin reiterin schwester tochter tante ehefrau freundin wandrerin wanderin',
  male: 'grandson enkel fisherman fishermen seaman policeman mailman businessman salesman craftsman huntsman caveman lumberjack priest bishop pope emperor actor waiter brother son uncle husband boyfriend dad daddy fischer fischers seemann matrose bauer koch bäcker arzt lehrer schüler kapitän tänzer künstler maler musiker sänger schriftsteller dichter gärtner hirte jäger wissenschaftler kellner polizist schmied bergmann kaufmann mönch priester papst kaiser bruder onkel ehemann freund herr kerl greis pêcheur pescador pescatore marin marinero',
  kin: 'mother father friend friends lover lovers teenager teen baby toddler parent parents guy guys grandchild neighbour neighbor menschen leute',
  costumed:
    'pirate pirates viking vikings ninja clown jester cowboy soldier soldiers bandit gladiator pharaoh geisha ballerina firefighter fireman superhero bride pirat piraten soldat soldaten wikinger feuerwehrmann',
} as const;

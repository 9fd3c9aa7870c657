import * as graph from './de/graph.ts';
import * as help from './de/help.ts';
import * as history from './de/history.ts';
import * as imagine from './de/imagine.ts';
import * as keys from './de/keys.ts';
import * as moderation from './de/moderation.ts';
import * as pictures from './de/pictures.ts';
import * as refusals from './de/refusals.ts';
import * as settings from './de/settings.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  locale: 'de',
  ...graph,
  ...help,
  ...history,
  ...imagine,
  ...keys,
  ...moderation,
  ...pictures,
  ...refusals,
  ...settings,

  commands: {
    imagine: 'Macht ein Bild aus Worten',
    'imagine prompt': 'Was zu sehen sein soll',
    'imagine negative_prompt': 'Was nicht zu sehen sein soll',
    'imagine size': 'Eine Vorlage, ein Seitenverhältnis oder Breite x Höhe in Pixeln',
    'imagine workflow': 'Wie gezeichnet wird',
    'imagine steps': 'Sampling-Schritte, 1 bis 50',
    'imagine seed': 'Derselbe Seed ergibt dasselbe Bild; -1 ist zufällig',
    'imagine cfg': 'Wie eng an den Worten (CFG), 0 bis 30, wo der Workflow es nutzt',
    'imagine model': 'Welches Modell, wo der Workflow eine Wahl lässt',
    'imagine count': 'Wie viele Bilder, 1 bis 4',
    'imagine image': 'Ein Bild, von dem es ausgeht: der Prompt sagt, was daraus wird',
    'imagine strength': 'Wie viel sich an diesem Bild ändert, 0 bis 1, wo der Workflow das nutzt',
    'imagine graph': 'ComfyUI-Graph im API-Format (.json); %prompt% und %seed% darin werden eingesetzt',
    'imagine graph_name': 'Ein ComfyUI-Graph dieses Servers',
    'imagine private': 'Nur mir zeigen',
    'imagine spoiler': 'Hinter einem Spoiler verbergen',
    jobs: 'Deine Bilder: was läuft, was fertig ist, und was auf dich wartet',
    'jobs search': 'Wörter im Prompt',
    'jobs only': 'Welche davon',
    help: 'Erklärt in drei Schritten, wie du Bilder machst',
    balance: 'Zeigt, wie viele Credits übrig sind',
    'balance member': 'Wessen Credits („Server verwalten“)',
    apikey: 'Schlüssel des Bilderdienstes, mit denen Bilder bezahlt werden',
    'apikey link': 'Verknüpft einen Schlüssel, der deine Bilder bezahlt',
    'apikey generate': 'Legt mit deinem Login-Token einen neuen Schlüssel an und verknüpft ihn',
    'apikey show': 'Zeigt, welcher Schlüssel verknüpft ist',
    'apikey revoke': 'Macht den verknüpften Schlüssel überall ungültig',
    'apikey unlink': 'Vergisst den verknüpften Schlüssel hier',
    'apikey server': 'Der Schlüssel, der für Mitglieder ohne eigenen bezahlt („Server verwalten“)',
    'apikey server link': 'Verknüpft einen Schlüssel, der hier für alle ohne eigenen bezahlt',
    'apikey server show': 'Zeigt, welchen Schlüssel dieser Server verknüpft hat',
    'apikey server unlink': 'Vergisst den Schlüssel dieses Servers',
    'apikey server settings': 'Wer den Schlüssel des Servers benutzen darf, wie viel, und wann gewarnt wird',
    'apikey server settings role': 'Wer ihn benutzen darf; @everyone: alle',
    'apikey server settings member_pictures':
      'Wie viele Bilder am Tag ein Mitglied damit machen darf; 0: beliebig viele',
    'apikey server settings server_pictures':
      'Wie viele Bilder am Tag alle zusammen damit machen dürfen; 0: beliebig viele',
    'apikey server settings channel': 'Wo einmal gewarnt wird, wenn nur noch wenige Credits übrig sind',
    'apikey server settings credits': 'Unter wie vielen Credits gewarnt wird; 0: nie',
    usage: 'Zeigt, was dieser Server in einem Monat verbraucht hat („Server verwalten“)',
    'usage month': 'Welcher Monat, etwa 2026-11. Standard: dieser',
    settings: 'Deine Voreinstellungen, und was auf diesem Server erlaubt ist',
    'settings me': 'Deine Voreinstellungen für jedes Bild',
    'settings panel': 'Zeigt und ändert die Einstellungen dieses Servers („Server verwalten“)',
    'settings check': 'Prüft, woran es hier meistens liegt, und sagt, was hilft („Server verwalten“)',
    moderate: 'Zeigt Meldungen, sperrt Mitglieder, bricht Bilder ab („Mitglieder im Timeout“)',
    'moderate block': 'Lässt ein Mitglied auf diesem Server keine Bilder mehr machen',
    'moderate block member': 'Wen',
    'moderate block hours': 'Wie viele Stunden lang. Standard: bis zur Entsperrung',
    'moderate unblock': 'Lässt ein Mitglied wieder Bilder machen',
    'moderate unblock member': 'Wen',
    'moderate reports': 'Zeigt die Bilder, die Mitglieder gemeldet haben',
    'moderate stop': 'Bricht alle Bilder ab, die auf diesem Server gerade entstehen',
    graph: 'ComfyUI-Graphen, die dieser Server für /imagine bereithält',
    'graph save': 'Behält einen Graphen unter einem Namen („Server verwalten“)',
    'graph save name': 'Was Mitglieder auswählen; ein vorhandener wird ersetzt',
    'graph save file': 'ComfyUI-Graph im API-Format (.json)',
    'graph list': 'Zeigt die Graphen dieses Servers',
    'graph list name': 'Zeigt, was in diesem steckt',
    'graph remove': 'Entfernt einen Graphen („Server verwalten“)',
    'graph remove name': 'Welchen',
    privacy: 'Was dieser Bot über dich speichert: ansehen, als Datei holen, löschen',
  },
};

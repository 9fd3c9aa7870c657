const PERSON = 'darkroom.person';
const EXPERIENCED = 'darkroom.experienced';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser may forbid storage; the page then begins anew each time.
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

/** What the browser remembers between visits. */
export const memory = {
  person: () => read(PERSON),
  keepPerson: (personId: string) => write(PERSON, personId),
  experienced: () => read(EXPERIENCED) !== null,
  keepExperienced: () => write(EXPERIENCED, 'yes'),
};

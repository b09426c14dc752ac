/** Tells of most hashes, without a look into the database, that they were never added. */
export interface HashFilter {
  add(hash: string): void;
  /** False for what was not added, save one in a thousand while a million were; true for all that was. */
  mayHave(hash: string): boolean;
}

/** 2 MiB: 16 bits for each row of the longest list. */
const indexBits = 24;
const bitsOfCharacter = 6;
const charactersOfIndex = indexBits / bitsOfCharacter;
/** A hash has 22 characters. */
const indexesOfHash = 5;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOfCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);

/** A Bloom filter of hashes in base64url, whose characters are random enough to be its indexes. */
export function createHashFilter(): HashFilter {
  const bits = new Uint8Array(2 ** indexBits / 8);

  function indexAt(hash: string, position: number): number {
    let index = 0;
    for (let at = position * charactersOfIndex; at < (position + 1) * charactersOfIndex; at += 1) {
      index = (index << bitsOfCharacter) | (valueOfCharacter[hash.charCodeAt(at)] ?? 0);
    }
    return index;
  }

  return {
    add(hash) {
      for (let position = 0; position < indexesOfHash; position += 1) {
        const index = indexAt(hash, position);
        bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
      }
    },
    mayHave(hash) {
      for (let position = 0; position < indexesOfHash; position += 1) {
        const index = indexAt(hash, position);
        if (((bits[index >> 3] ?? 0) & (1 << (index & 7))) === 0) {
          return false;
        }
      }
      return true;
    },
  };
}

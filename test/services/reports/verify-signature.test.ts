import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isSignedBy } from '../../../src/services/reports/reports.ts';

const hashes = ['sha256', 'sha512'] as const;

interface Vector {
  id: string;
  isValid: boolean;
  key: Buffer;
  body: Buffer;
  tag: Buffer;
}

/** The vectors of Project Wycheproof. */
function vectorsOf(hash: (typeof hashes)[number]): Vector[] {
  const file = readFileSync(new URL(`wycheproof/hmac-${hash}.txt`, import.meta.url), 'utf8');
  return file
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', result, ...values] = line.split(' ');
      const [key, body, tag] = values.map((value) => Buffer.from(value, 'hex'));
      assert.ok(key && body && tag);
      return { id, isValid: result === 'valid', key, body, tag };
    });
}

describe('the signature of a report', () => {
  for (const hash of hashes) {
    it(`is checked as the published vectors of HMAC with ${hash} demand`, () => {
      const vectors = vectorsOf(hash);
      const length = createHmac(hash, '').digest().length;
      assert.equal(vectors.length, 174);
      const seen = { taken: 0, refused: 0 };
      for (const { id, isValid, key, body, tag } of vectors) {
        // Some vectors are of a tag that was cut: a signature is whole.
        const expected = isValid && tag.length === length;
        seen[expected ? 'taken' : 'refused'] += 1;
        for (const encoding of ['hex', 'base64'] as const) {
          const signed = { body, signature: tag.toString(encoding) };
          assert.equal(
            isSignedBy(createSecretKey(key), signed, { hash, encoding }),
            expected,
            `${id} ${encoding}`,
          );
        }
      }
      assert.ok(seen.taken > 30 && seen.refused > 50, JSON.stringify(seen));
    });
  }

  it('is of the raw bytes, however odd the JSON in them is, and not of the same JSON written again', () => {
    const key = createSecretKey('a signing secret', 'utf8');
    const form = { hash: 'sha512', encoding: 'hex' } as const;
    const bodies = [
      '{"message_id":"1","status":"Sent",  "status":"DELIVERED"}\r\n',
      '\uFEFF{"a":1.0}',
      '[ 1e2 ,\t"\\u00e9" ]',
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    ];
    for (const given of bodies) {
      const body = Buffer.from(given);
      const signature = createHmac('sha512', key).update(body).digest('hex');
      assert.equal(isSignedBy(key, { body, signature }, form), true);
      assert.equal(
        isSignedBy(key, { body: Buffer.from(body.toString('utf8').replaceAll(/\s/g, '')), signature }, form),
        false,
      );
    }
    const odd = Buffer.from(String(bodies[0]));
    const signature = createHmac('sha512', key).update(odd).digest('hex');
    const again = Buffer.from(JSON.stringify(JSON.parse(odd.toString('utf8'))));
    assert.equal(isSignedBy(key, { body: again, signature }, form), false);
  });

  it('is refused when a single bit of it differs, wherever that is', () => {
    const key = createSecretKey('a signing secret', 'utf8');
    const body = Buffer.from('{"status":"DELIVERED"}');
    const tag = createHmac('sha256', key).update(body).digest();
    for (let bit = 0; bit < tag.length * 8; bit += 1) {
      const other = Buffer.from(tag);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const signed = { body, signature: other.toString('hex') };
      assert.equal(isSignedBy(key, signed, { hash: 'sha256', encoding: 'hex' }), false);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownId } from '../../../src/domain/access/ownership.ts';
import { epochOf, withEpoch } from '../../../src/domain/access/request-keys.ts';

const users = fc.stringMatching(/^[UW][0-9A-Z]{8,10}$/);
const madeHere = users.chain((user) => fc.string().map((id) => ownId(user, id)));
const anyId = fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{22}$/), madeHere);

test('an owned id is bound to its user, and unchanged when it is owned again', () => {
  fc.assert(
    fc.property(users, anyId, (user, id) => {
      const own = ownId(user, id);
      assert.match(own.slice(withEpoch(epochOf(id), '').length), new RegExp(`^${user}\\.[\\w-]{22}$`));
      assert.equal(epochOf(own), epochOf(id));
      assert.equal(ownId(user, own), own);
    }),
  );
});

test('no id of one user is also an id of another', () => {
  fc.assert(
    fc.property(users, users, anyId, anyId, (one, other, id, otherId) => {
      fc.pre(one !== other);
      assert.notEqual(ownId(one, id), ownId(other, otherId));
      assert.notEqual(ownId(one, ownId(other, id)), ownId(other, id));
    }),
  );
});

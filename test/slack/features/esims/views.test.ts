import assert from 'node:assert/strict';
import { it } from 'node:test';
import { esimListView } from '../../../../src/slack/features/esims/list.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';

it('a page of more than 40 eSIMs has *Next*', () => {
  for (const count of [40, 41, 130]) {
    const esim = { iccid: '8923490000000421208', state: 'RELEASED', productId: 'x', raw: {} };
    const records = Array.from({ length: count }, () => esim);
    const page = {
      records,
      number: 0,
      size: 15,
      numberOfElements: 15,
      first: true,
      last: true,
      empty: false,
    };
    const view = esimListView({ page: 0, from: 0 }, { kind: 'answered', value: { ...page, raw: {} } });
    assertSlackAccepts(view);
    assert.equal(JSON.stringify(view).includes('"Next"'), count > 40);
  }
});

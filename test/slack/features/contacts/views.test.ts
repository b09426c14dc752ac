import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../../sandbox/slack/block-kit/surfaces.ts';
import { permissionsOf } from '../../../../src/domain/access/roles.ts';
import { phoneNumberSchema } from '../../../../src/domain/phone/phone-number.ts';
import type { ListedContact } from '../../../../src/services/contacts/contacts.ts';
import { rejectedRowsFile } from '../../../../src/slack/block-kit/descriptions/rejected-rows.ts';
import { contactCardView } from '../../../../src/slack/features/contacts/card-view.ts';
import { contactListView } from '../../../../src/slack/features/contacts/list-view.ts';
import {
  contactOutcomeView,
  contactRenderers,
} from '../../../../src/slack/features/contacts/outcome-view.ts';
import { uploadPreviewView } from '../../../../src/slack/features/contacts/upload/views.ts';
import type { Operation } from '../../../../src/store/operations/ledger.ts';
import { anyText } from '../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';

const number = phoneNumberSchema.parse('+2348031234567');
const id = fc.stringMatching(/^[a-z0-9]{1,30}$/);
const position = { phonebookId: 'one', page: 0, search: '', origin: 'C0SUPPORT' };
const around = {
  suppressed: new Set([number]),
  phonebooks: [{ id: 'one', name: 'One' }],
  permissions: permissionsOf(['admin']),
};

const contact: fc.Arbitrary<ListedContact> = fc.record({
  id,
  number: fc.constantFrom(number, undefined),
  written: anyText,
  name: anyText,
  company: anyText,
  emailAddress: anyText,
  columns: fc.array(fc.record({ key: anyText, value: anyText }), { maxLength: 60 }),
});

describe('the views of contacts', () => {
  it('are accepted by Slack whatever a phonebook contains', () => {
    fc.assert(
      fc.property(fc.array(contact, { maxLength: 120 }), (contacts) => {
        const page = { number: 0, totalPages: 9, totalElements: 1_000, last: false };
        const found = contacts.map((one) => ({ ...one, page: 99 }));
        const lists = [
          { kind: 'listed', contacts, page },
          { kind: 'searched', contacts: found, found: 5_000, searched: 5_000, isWhole: false },
        ] as const;
        for (const list of lists) {
          const view = contactListView({ ...around, list }, position);
          assertSlackAccepts(view);
          assert.doesNotMatch(JSON.stringify(view), /<!channel>|more parts did not fit/);
        }
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(contact, fc.boolean(), anyText, (shown, deletable, name) => {
        const source = { kind: 'file' as const, name };
        const listed = { number, createdBy: 'U0AGENT', createdAt: new Date(0), source };
        const view = contactCardView(shown, {
          position,
          key: 'key',
          deletable,
          listed,
          permissions: permissionsOf(['admin']),
        });
        assertSlackAccepts(view);
        assert.doesNotMatch(JSON.stringify(view), /<!channel>|more parts did not fit/);
      }),
    );
  });

  it('list 80 contacts however long their names, companies and columns', () => {
    const long = '😀'.repeat(2_000);
    const contacts = Array.from({ length: 100 }, (_, index) => ({
      id: `${index}`,
      number: undefined,
      written: long,
      name: long,
      company: long,
      emailAddress: long,
      columns: [{ key: long, value: long }],
    }));
    const page = { number: 0, last: true };
    const view = contactListView({ ...around, list: { kind: 'listed', contacts, page } }, position);
    assertSlackAccepts(view);
    assert.equal(JSON.stringify(view).match(/"Open"/g)?.length, 80);
  });

  it('are accepted by Slack whatever a file contains, and say how much is not shown', () => {
    const row = fc.record({ line: fc.nat(), text: anyText, reason: fc.constant('is not a number') });
    fc.assert(
      fc.property(
        anyText,
        fc.array(anyText, { minLength: 1, maxLength: 30 }),
        fc.array(row, { minLength: 51, maxLength: 90 }),
        (fileName, titles, bad) => {
          const contacts = Array.from({ length: 10_000 }, () => ({ number, details: titles }));
          const table = { numberTitle: fileName, titles, contacts, rejected: bad, duplicates: 3 };
          const checked = {
            fileName,
            phonebook: { id: 'one', name: 'One' },
            country: 'NG' as const,
            table,
            isRejectedFileSent: true,
          };
          const view = uploadPreviewView(checked, { position, key: 'key' });
          assertSlackAccepts(view);
          assert.match(JSON.stringify(view), new RegExp(`and ${bad.length - 50} more, in`));
          assert.ok(rejectedRowsFile(table.rejected));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('show the outcome of a change in every state, without a full number', () => {
    const summaries = {
      'contact.add': { phonebook: '<!channel>', number: '+234803•••4567' },
      'contact.delete': { phonebook: '<!channel>', number: '' },
      'contact.upload': { phonebook: '<!channel>', contacts: 10_000 },
    };
    for (const [kind, summary] of Object.entries(summaries)) {
      for (const state of ['underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed'] as const) {
        const operation: Operation = {
          id: 'id',
          key: 'key',
          workspaceId: 'T0',
          kind,
          userId: 'U0AGENT',
          summary,
          state,
          createdAt: new Date(0),
          error: { reason: 'refused', providerMessage: 'The provider said no.' },
        };
        assertSlackAccepts(contactOutcomeView(operation, position));
        const renderer = contactRenderers[kind];
        assert.ok(renderer);
        for (const message of [renderer.forUser(operation), renderer.forChannel(operation)]) {
          assert.equal(checkMessage(message), undefined);
          assert.doesNotMatch(JSON.stringify(message), /<!channel>/);
        }
      }
    }
  });
});

import fc from 'fast-check';
import { permissionsOf } from '../../../../src/domain/access/roles.ts';
import type { ListedContact } from '../../../../src/services/contacts/contacts.ts';
import { mrkdwn } from '../../../../src/slack/block-kit/text.ts';
import { contactCardView } from '../../../../src/slack/features/contacts/contact.ts';
import { contactListView } from '../../../../src/slack/features/contacts/list.ts';
import { contactOutcomes } from '../../../../src/slack/features/contacts/outcomes.ts';
import { phonebooksView } from '../../../../src/slack/features/contacts/phonebooks.ts';
import { uploadReviewView } from '../../../../src/slack/features/contacts/upload.ts';
import { reviewsOf } from '../../../support/slack/example-reviews.ts';
import {
  at,
  drawn,
  type Examples,
  number,
  operationsOf,
  type Words,
} from '../../../support/slack/example-words.ts';

export const position = { phonebookId: 'phonebook-0', page: 0, search: '', origin: 'C0SUPPORT' };
export const around = {
  suppressed: new Set([number]),
  phonebooks: [{ id: 'phonebook-0', name: 'One' }],
  permissions: permissionsOf(['admin']),
};

export const contacts: Examples = (words) => {
  const { any, name } = words;
  const contact = contactOf(words);
  const phonebooks = fc
    .array(name, { minLength: 1, maxLength: 100 })
    .map((names) => names.map((name, index) => ({ id: `phonebook-${index}`, name })));
  const row = fc.record({ line: fc.nat(), text: any, reason: fc.constant('is not a number') });
  return {
    contactListView: drawn(
      { contacts: fc.array(contact, { maxLength: 120 }), isSearch: fc.boolean() },
      (given) => {
        const { contacts, isSearch } = given;
        const page = { number: 0, totalPages: 9, totalElements: 1_000, last: false, unreadable: [{}, {}] };
        const found = contacts.map((one) => ({ ...one, page: 99 }));
        const list = isSearch
          ? ({
              kind: 'searched',
              contacts: found,
              found: 5_000,
              searched: 5_000,
              unreadable: 2,
              isWhole: false,
            } as const)
          : ({ kind: 'listed', contacts, page } as const);
        return contactListView({ ...around, list }, position);
      },
    ),
    contactCardView: drawn(
      { contact, deletable: fc.boolean(), name: any },
      ({ contact, deletable, name }) => {
        const source = { kind: 'file' as const, name };
        const listed = { number, createdBy: 'U0AGENT', createdAt: at, source };
        const { permissions } = around;
        return contactCardView(contact, { position, key: 'key', deletable, listed, permissions });
      },
    ),
    addedView: operationsOf(words, 'contact.add').map((operation) => contactOutcomes.add.view(operation)),
    deletedView: operationsOf(words, 'contact.delete').map((operation) =>
      contactOutcomes.delete.view(operation),
    ),
    uploadedView: operationsOf(words, 'contact.upload').map((operation) =>
      contactOutcomes.upload.view(operation),
    ),
    uploadReviewView: drawn(
      {
        fileName: any,
        titles: fc.array(any, { minLength: 1, maxLength: 30 }),
        rejected: fc.array(row, { maxLength: 90 }),
        review: reviewsOf(any),
      },
      ({ fileName, titles, rejected, review }) => {
        const contacts = Array.from({ length: 200 }, () => ({ number, details: titles }));
        const table = { numberTitle: fileName, titles, contacts, rejected, duplicates: 3, review };
        const phonebook = { id: 'phonebook-0', name: 'One' };
        const checked = { fileName, phonebook, country: 'NG' as const, table, isRejectedFileSent: true };
        return uploadReviewView(checked, { position, key: 'key' });
      },
    ),
    phonebooksView: drawn({ phonebooks, name }, ({ phonebooks, name }) =>
      phonebooksView(phonebooks, mrkdwn`*${name}* is added.`),
    ),
  };
};

function contactOf({ any }: Words): fc.Arbitrary<ListedContact> {
  return fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,30}$/),
    number: fc.constantFrom(number, undefined),
    written: any,
    name: any,
    firstName: any,
    lastName: any,
    company: any,
    emailAddress: any,
    columns: fc.array(fc.record({ key: any, value: any }), { maxLength: 60 }),
  });
}

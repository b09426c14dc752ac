import { apiKey, countryCallingCode, dateTime, object, pagingBeyond, phoneNumber, string } from './fields.ts';
import { contact, contactDetails, page, phonebook } from './records.ts';
import { at, type Operation, type RequestField } from './types.ts';

const phonebookId = {
  phonebook_id: { is: 'string', required: true, example: 'a1b2c3', says: 'the phonebook' },
} as const;

function oneOf(what: string, example: string): RequestField {
  return { is: 'string', required: false, example, says: what };
}

const contacts: Operation = {
  name: 'phonebooks.contacts',
  section: '§4.12',
  does: 'Lists the contacts of a phonebook.',
  method: 'GET',
  path: '/api/phonebooks/{phonebook_id}/contacts',
  idempotent: true,
  request: { path: phonebookId, query: { api_key: apiKey, ...pagingBeyond } },
  success: {},
  response: {
    headers: { is: 'strings', says: 'the names of the columns' },
    phonebook: object,
    ...at('phonebook', phonebook),
    data: object,
    ...at('data', page(contact)),
  },
};

const added = 'Contact added successfully';

const addContact: Operation = {
  name: 'phonebooks.addContact',
  section: '§4.12',
  does: 'Adds one contact to a phonebook.',
  method: 'POST',
  path: '/api/phonebooks/{phonebook_id}/contacts',
  idempotent: false,
  request: {
    path: phonebookId,
    body: {
      api_key: apiKey,
      phone_number: {
        ...phoneNumber,
        is: 'string',
        required: true,
        says: 'the number; without its country’s prefix where country_code is given',
      },
      country_code: {
        ...countryCallingCode,
        is: 'string',
        required: false,
        says: 'the country’s calling code',
      },
      email_address: oneOf('the contact’s e-mail address', 'ada@example.com'),
      first_name: oneOf('the contact’s first name', 'Ada'),
      last_name: oneOf('the contact’s last name', 'Bello'),
      company: oneOf('the contact’s company', 'Blue Bakery'),
    },
  },
  success: {},
  response: {
    [added]: object,
    ...at(added, {
      id: string,
      created_at: dateTime,
      updated_at: dateTime,
      phone_number: string,
      ...contactDetails,
    }),
  },
};

const upload: Operation = {
  name: 'phonebooks.upload',
  section: '§4.12',
  does: 'Adds the contacts of a CSV file to a phonebook, some minutes later.',
  method: 'POST',
  path: '/api/phonebooks/contacts/upload',
  idempotent: false,
  request: {
    form: {
      file: {
        is: 'file',
        required: true,
        example: new Blob(['phone_number\n2348030000011\n'], { type: 'text/csv' }),
        says: 'the CSV file',
      },
      contact: {
        is: 'object',
        required: true,
        example: {},
        says: 'a part of type application/json, beside the file in multipart/form-data',
      },
      'contact.api_key': apiKey,
      'contact.country_code': {
        ...countryCallingCode,
        is: 'string',
        required: true,
        says: 'the calling code of the numbers’ country',
      },
      'contact.pid': { is: 'string', required: true, example: 'a1b2c3', says: 'the phonebook' },
    },
  },
  success: {},
  response: { message: { is: 'string', says: 'that the file is being worked through' } },
};

const deleteContact: Operation = {
  name: 'phonebooks.deleteContact',
  section: '§4.12',
  does: 'Deletes a contact of a phonebook. How the contact is named is not shown.',
  method: 'DELETE',
  path: '/api/phonebooks/{phonebook_id}/contacts',
  idempotent: false,
  request: {
    path: phonebookId,
    'body or query': {
      api_key: apiKey,
      contact_id: {
        is: 'string',
        required: 'not shown',
        beyond: true,
        example: 'd4e5f6',
        says: 'the contact; here, and under this name, in the sandbox. Without it a phonebook may be emptied',
      },
    },
  },
  success: { status: 'success' },
  response: {
    code: { is: 'integer', enum: [200] },
    data: object,
    'data.message': string,
    message: string,
    status: { is: 'string', enum: ['success'] },
  },
};

export const phonebooks: readonly Operation[] = [contacts, addContact, upload, deleteContact];

import { type ClientFields, page } from './types.ts';

const contact = {
  id: 'id',
  pid: 'phonebookId',
  phone_number: 'phoneNumber',
  contact_list_key_value: 'columns',
  'contact_list_key_value[].key': 'columns[].key',
  'contact_list_key_value[].value': 'columns[].value',
  email_address: 'emailAddress',
  first_name: 'firstName',
  last_name: 'lastName',
  company: 'company',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
};

const added = 'Contact added successfully';

export const phonebooks = {
  'phonebooks.contacts': {
    takes: { phonebook_id: 'phonebookId', page: 'page', size: 'size' },
    gives: {
      headers: 'headers',
      phonebook: 'phonebook',
      'phonebook.id': 'phonebook.id',
      'phonebook.applicationId': 'phonebook.applicationId',
      'phonebook.description': 'phonebook.description',
      'phonebook.createdAt': 'phonebook.createdAt',
      'phonebook.phonebook_name': 'phonebook.name',
      'phonebook.total_contact': 'phonebook.totalContacts',
      'phonebook.total_campaign': 'phonebook.totalCampaigns',
      data: 'raw',
      ...page('data.', '', contact),
    },
  },
  'phonebooks.addContact': {
    takes: {
      phonebook_id: 'phonebookId',
      phone_number: 'phoneNumber',
      country_code: 'countryCode',
      email_address: 'emailAddress',
      first_name: 'firstName',
      last_name: 'lastName',
      company: 'company',
    },
    gives: {
      [added]: 'raw',
      [`${added}.id`]: 'id',
      [`${added}.company`]: 'company',
      [`${added}.created_at`]: 'createdAt',
      [`${added}.updated_at`]: 'updatedAt',
      [`${added}.phone_number`]: 'phoneNumber',
      [`${added}.email_address`]: 'emailAddress',
      [`${added}.first_name`]: 'firstName',
      [`${added}.last_name`]: 'lastName',
    },
  },
  'phonebooks.upload': {
    takes: { file: 'file', 'contact.country_code': 'countryCode', 'contact.pid': 'phonebookId' },
    gives: { message: 'message' },
  },
  'phonebooks.deleteContact': {
    takes: { phonebook_id: 'phonebookId', contact_id: 'contactId' },
    // A deletion without a contact may empty the phonebook.
    demands: ['contact_id'],
    gives: { code: 'raw', data: 'data', 'data.message': 'data.message', message: 'message', status: 'raw' },
  },
} as const satisfies Readonly<Record<string, ClientFields>>;

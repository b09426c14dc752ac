import program from '../package.json' with { type: 'json' };

/** The release of the program. */
export const { version } = program;

/** As people read it: a space that breaks no line is a space. */
export const plainSpaces = (text: string): string => text.replaceAll('\u00a0', ' ');

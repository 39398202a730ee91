/** Note of a report by which somebody who may not let a customer in asks for it. */
export const REQUEST_NOTE = 'Asks to let this customer in.';

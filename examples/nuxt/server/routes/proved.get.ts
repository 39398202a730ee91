/** The page of Gatehouse sends the browser here after the proof of work. */
export default defineEventHandler(async (event) => {
  const proof = await gatehouse.endProof(event.node.req);
  if (proof === null) return sendRedirect(event, '/blocked', 303);
  // Create the account here, from the form that you kept under proof.state.
  return sendRedirect(event, '/welcome', 303);
});

/** Where the page of a test asks for its catalog. */
export default '/catalog.json';

